import CPostgreSQL

/// The address of a database: `postgres://user:password@host:port/database?sslmode=…` (libpq's
/// §34.1.1.2).
///
/// All of libpq's parameters are allowed. Logs and errors never contain the password.
package struct PostgreSQLAddress: Sendable, CustomStringConvertible {
    /// The address for libpq.
    let url: String
    /// User, host, port and database.
    package let description: String

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
    package init(_ url: String) throws(PostgreSQLError) {
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
        else { throw fail("has an @, / or ? in the name or the password: write %40, %2F, %3F") }
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
