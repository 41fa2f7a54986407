import CPostgreSQL

/// The address of a database: `postgres://user:password@host:port/database?sslmode=…` (libpq's
/// §34.1.1.2).
///
/// All of libpq's parameters are allowed. Logs and errors never contain the password.
public struct PostgreSQLAddress: Sendable, CustomStringConvertible {
    /// The address for libpq.
    let url: String
    /// User, host, port and database.
    public let description: String
    /// The attempts to connect, at least one: the hosts in the address's order.
    let attempts: [Attempt]
    /// The timeout of an attempt, if the address has one.
    let connectTimeout: Duration?

    /// An attempt to connect to one host.
    struct Attempt: Sendable {
        /// The parameters that replace those of the address.
        var parameters: [(String, String)] = []
    }

    /// Returns whether a text has the form of such an address.
    package static func isOne(_ text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }

    /// Checks an address.
    ///
    /// It needs libpq.
    ///
    /// - Throws: The reason, without any part of the password. libpq's own errors would reveal
    ///   parts: it takes text after a `/` or `@` in a password for the host or the port.
    public init(_ url: String) throws(PostgreSQLError) {
        func fail(_ reason: String) -> PostgreSQLError {
            PostgreSQLError(.wrongAddress, "the database's address \(reason)")
        }
        guard Self.isOne(url), let scheme = url.firstRange(of: "://") else {
            throw fail("doesn't begin with postgres://")
        }
        let rest = url[scheme.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        guard rest.count(where: { $0 == "@" }) == authority.count(where: { $0 == "@" }),
            authority.count(where: { $0 == "@" }) <= 1
        else {
            throw fail("has an @, /, ? or # in the name or the password: write %40, %2F, %3F, %23")
        }
        let hosts = authority[
            (authority.firstIndex(of: "@").map(authority.index(after:))
                ?? authority.startIndex)...
        ]
        for host in hosts.split(separator: ",") {
            // An IPv6 address is in brackets.
            let afterAddress = host.lastIndex(of: "]").map { host[$0...] } ?? host
            guard let colon = afterAddress.firstIndex(of: ":") else { continue }
            let port = afterAddress[afterAddress.index(after: colon)...]
            guard port.isEmpty || UInt16(port) != nil else { throw fail("has an invalid port") }
        }
        let library = try PostgreSQLLibrary.load()
        var reason: UnsafeMutablePointer<CChar>?
        let options = library.functions.PQconninfoParse(url, &reason)
        defer { library.functions.PQconninfoFree(options) }
        if reason != nil { library.functions.PQfreemem(reason) }
        guard let options else {
            throw fail("has a % without two digits, or a parameter that libpq doesn't know")
        }
        var parts: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                parts[String(cString: keyword)] = String(cString: value)
            }
            option += 1
        }
        self.url = url
        description = Self.describe(parts)
        attempts = Self.attempts(parts)
        // libpq rejects a text that isn't a number. 0 is no limit, and 2 seconds the minimum.
        connectTimeout = parts["connect_timeout"].flatMap { Int($0) }
            .flatMap { $0 > 0 ? .seconds(max(2, $0)) : nil }
    }

    /// Returns one attempt for each host of a list, or the only one.
    private static func attempts(_ parts: [String: String]) -> [Attempt] {
        let lists = ["host", "hostaddr", "port"].compactMap { name in
            parts[name].map { value in
                (
                    name,
                    value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                )
            }
        }
        // A single port is that of all hosts.
        let count = lists.filter { $0.0 != "port" }.map(\.1.count).max() ?? 1
        guard count > 1, lists.allSatisfy({ $0.1.count == count || $0.1.count == 1 }) else {
            // libpq rejects lists of different lengths.
            return [Attempt()]
        }
        let hosts = (0..<count).map { place in
            lists.map { name, values in (name, values[values.count == 1 ? 0 : place]) }
        }
        let attributes = "target_session_attrs"
        guard parts[attributes] == "prefer-standby" else { return hosts.map(Attempt.init) }
        // Any host is acceptable only after all have been asked whether they are a standby.
        return ["standby", "any"].flatMap { value in
            hosts.map { Attempt(parameters: $0 + [(attributes, value)]) }
        }
    }

    private static func describe(_ parts: [String: String]) -> String {
        var text = "postgres://"
        if let user = parts["user"] { text += user + "@" }
        text += parts["host"] ?? parts["hostaddr"] ?? ""
        if let port = parts["port"] { text += ":" + port }
        if let database = parts["dbname"] { text += "/" + database }
        return text
    }
}
