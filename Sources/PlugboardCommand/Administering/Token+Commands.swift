import ArgumentParser
import HTTPSyntax
import Identity
import JSONCodec
import PlugHTTP
import Plugboard
import Storage

extension Token {
    /// The command `token create`.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates a token and prints it once.",
            discussion: """
                The standard output gets only the token. The store has its digest, so it can't be \
                printed again. The store also has the scopes of its server's actions, from each \
                start of the server: other scopes are rejected.
                """
        )

        @Option(help: "A scope of the token, such as admin; may be repeated.")
        var scope: [String]

        @Option(help: "The name of the token's caller.")
        var name = ""

        @Option("The lifetime: 90s, 15m, 12h, 30d, 52w or never. (default: 90d)", value: "time")
        var expires: String?

        @OptionGroup var options: AdministrationOptions

        func run() async throws {
            let lifetime = try expires.map(Token.lifetime) ?? .standard
            if let list = scope.first(where: { $0.contains(",") }) {
                throw Failure.usage("--scope: expected one scope, not \"\(list)\"; repeat --scope")
            }
            let scopes = Scopes(scope)
            let store = try options.open()
            let tokens = store.tokens
            let made = try await Token.explainingErrors {
                let declared = try await tokens.declaredScopes()
                if declared == nil { try Self.check(scopes, in: store.place) }
                return try await tokens.create(
                    name: name,
                    scopes: scopes,
                    declared: declared,
                    lifetime: lifetime,
                    by: .command
                )
            }
            if store.isMissing {
                Output.writeError(
                    "there was no \(store.place): the command made it. A server uses it with the "
                        + "same --data"
                )
            }
            try Token.print(made.text, of: made.record, asJSON: options.json)
        }

        /// Rejects misspelled scopes of the server's own actions, and warns of other ones, since no
        /// server has stored its own yet.
        private static func check(_ scopes: Scopes, in place: String) throws {
            let own = Server.administrationScopes
            let unchecked = scopes.names.filter { !own.contains([$0]) }
            for scope in unchecked {
                guard let nearest = nearestName(to: scope, among: own.names) else { continue }
                throw Failure.usage(
                    "--scope: no action needs \"\(scope)\": did you mean \(nearest)? If an action of the "
                        + "application needs it, start the server first: it stores its scopes"
                )
            }
            guard !unchecked.isEmpty else { return }
            Output.writeError(
                "Warning: \(unchecked.joined(separator: " ")) isn't checked: no server has stored "
                    + "its scopes in \(place) yet"
            )
        }
    }

    /// The command `token rotate`.
    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Gives a token a new secret and prints it once.",
            discussion: """
                The number, name and scopes stay. The old secret ends at once; a running server \
                rejects it within a second.
                """
        )

        @Argument(help: "The token's number, as create and list print it.")
        var id: String

        @Option(
            "The lifetime, as for create. (default: that of the old secret)",
            value: "time"
        )
        var expires: String?

        @OptionGroup var options: AdministrationOptions

        func run() async throws {
            let lifetime = try expires.map(Token.lifetime)
            let store = try options.open()
            try store.requireFile()
            let made = try await Token.explainingErrors {
                try await store.tokens.rotate(id, lifetime: lifetime, by: .command)
            }
            guard let made else { throw Token.missing(id) }
            try Token.print(made.text, of: made.record, asJSON: options.json)
        }
    }

    /// The command `token list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the tokens.")

        @OptionGroup var options: AdministrationOptions

        func run() async throws {
            let store = try options.open()
            try store.requireFile()
            let records = try await Token.explainingErrors { try await store.tokens.list() }
            if options.json { return try Output.print(encoding: records.map { TokenInfo($0) }) }
            for record in records {
                let expires = record.expires.map(HTTPDate.timestamp) ?? "never"
                let created = HTTPDate.timestamp(record.created)
                let used = record.used.map(HTTPDate.timestamp) ?? "never"
                let name = record.name.isEmpty ? "" : "  \(record.name)"
                Output.print(
                    "\(record.id)  created \(created)  expires \(expires)  last used \(used)  "
                        + "\(record.scopes)\(name)"
                )
            }
        }
    }

    /// The command `token revoke`.
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Revokes a token.")

        @Argument(help: "The token's number, as create and list print it.")
        var id: String

        @OptionGroup var options: AdministrationOptions

        func run() async throws {
            let store = try options.open()
            try store.requireFile()
            let wasThere = try await Token.explainingErrors {
                try await store.tokens.revoke(id, by: .command)
            }
            guard wasThere else { throw Token.missing(id) }
        }
    }

    /// The error for a missing token; the argument isn't repeated if it may be a whole token.
    private static func missing(_ id: String) -> Failure {
        TokenText.number(id: id) == nil
            ? Failure("a token's number has 12 hexadecimal digits, as token list prints it")
            : Failure("there is no token \(id)")
    }

    /// Prints a token, and its properties on the standard error.
    private static func print(_ text: String, of record: TokenRecord, asJSON: Bool) throws {
        if asJSON {
            return try Output.print(encoding: NewToken(token: text, info: TokenInfo(record)))
        }
        let end = record.expires.map { ", until " + HTTPDate.timestamp($0) } ?? ", without an end"
        Output.writeError("token \(record.id) for \(record.scopes)\(end); it isn't shown again:")
        Output.print(text)
    }

    /// A created token in JSON.
    private struct NewToken: Encodable {
        var token: String
        var info: TokenInfo
    }

    /// Parses a lifetime: a time such as `30d`, or `never`.
    private static func lifetime(_ text: String) throws -> TokenLifetime {
        if text == "never" { return .unlimited }
        guard let seconds = seconds(text) else {
            throw Failure.usage(
                "--expires: expected a time such as 30d, or never, not \"\(text)\""
            )
        }
        return .seconds(seconds)
    }

    /// Parses a time such as `30d` into seconds; nil if it is invalid.
    static func seconds(_ text: String) -> Int? {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()),
            count > 0
        else { return nil }
        let (seconds, overflow) = count.multipliedReportingOverflow(by: unit)
        return overflow ? nil : seconds
    }
}
