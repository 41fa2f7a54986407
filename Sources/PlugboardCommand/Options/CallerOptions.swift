import HTTPSyntax
import ArgumentParser
import PlugHTTP
import Plugboard
import Settings

/// The options of `serve` for JSON Web Tokens, which it accepts beside its own bearer tokens.
struct CallerOptions: ParsableArguments {
    private static let line = "a text without control characters"

    private static let keys = Setting<String?>(
        "jwks",
        default: nil,
        hides: { $0.map(ShownURL.mayHaveSecret) ?? false },
        expected: "a file, or a URL without a name and a password",
        accepts: { !($0.map(ShownURL.mayHaveUser) ?? false) }
    )

    @Option(
        keys,
        """
        Accepts JSON Web Tokens that are signed with a key of this JSON Web Key Set: a file or an \
        https URL.
        """,
        valueName: "file-or-url"
    )
    var jwks: String?

    private static let issuer = Setting<String?>(
        "jwt-issuer",
        default: nil,
        expected: line,
        accepts: { $0.map(Server.Configuration.WebTokens.isLine) ?? true }
    )

    @Option(issuer, "The issuer of the JSON Web Tokens: exactly their iss.", valueName: "issuer")
    var jwtIssuer: String?

    private static let audiences = Setting<[String]>(
        "jwt-audience",
        default: [],
        expected: "each of them \(line)",
        accepts: { $0.allSatisfy(Server.Configuration.WebTokens.isLine) }
    )

    @Option(
        audiences,
        "The audience of the JSON Web Tokens: exactly in their aud. If repeated, any one suffices.",
        valueName: "audience"
    )
    var jwtAudience: [String]

    /// Returns the settings for JSON Web Tokens; nil without `--jwks`.
    static func read(
        _ options: Self?,
        _ settings: SettingsReader
    ) -> Server.Configuration.WebTokens? {
        let keys = settings.value(of: keys, options?.jwks)
        let issuer = settings.value(of: issuer, options?.jwtIssuer)
        let audiences = settings.value(of: audiences, options?.jwtAudience ?? [])
        guard let keys else {
            if issuer != nil { settings.reject("jwt-issuer", "needs --jwks") }
            if !audiences.isEmpty { settings.reject("jwt-audience", "needs --jwks") }
            return nil
        }
        // A token for another service must not be valid here (RFC 8725 §3.9).
        if issuer == nil { settings.reject("jwks", "needs --jwt-issuer") }
        if audiences.isEmpty { settings.reject("jwks", "needs --jwt-audience") }
        var tokens = Server.Configuration.WebTokens(keys: .init(keys), issuer: issuer ?? "")
        tokens.audiences = audiences
        return tokens
    }
}
