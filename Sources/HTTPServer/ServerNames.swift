import HTTPSyntax

/// Which of several certificates is for which host name (RFC 6125 §6.4).
///
/// A name is one's own or, with its first label left to a wildcard, that of one level below
/// (§6.4.3). The first certificate of a name has it.
struct ServerNames: Sendable {
    /// The certificates of each name, in lower case.
    private let certificates: [String: [Int]]

    /// Takes the names of each certificate, wildcards included.
    init(_ names: [[String]]) {
        var certificates: [String: [Int]] = [:]
        for (index, names) in names.enumerated() {
            for name in Set(names.map { $0.lowercased() }) where Self.isUsable(name) {
                certificates[name, default: []].append(index)
            }
        }
        self.certificates = certificates
    }

    /// A wildcard is the whole first label, before two others at least.
    private static func isUsable(_ name: String) -> Bool {
        guard name.contains("*") else { return true }
        let rest = name.dropFirst(2)
        return name.hasPrefix("*.") && !rest.contains("*") && rest.dropFirst().contains(".")
    }

    /// The certificate for a host; nil if there is none.
    func certificate(for host: String) -> Int? {
        certificates[host]?.first ?? certificates[Self.wildcard(for: host)]?.first
    }

    /// Whether that certificate is for a host.
    func covers(_ host: String, by certificate: Int) -> Bool {
        certificates[host]?.contains(certificate) ?? false
            || certificates[Self.wildcard(for: host)]?.contains(certificate) ?? false
    }

    private static func wildcard(for host: String) -> String {
        "*" + host.drop { $0 != "." }
    }

    /// The host name of an authority as names are compared: in lower case, without the port and the
    /// final dot.
    ///
    /// Nil for an address in brackets.
    static func host(of authority: ByteSpan) -> String? {
        guard authority.first != 0x5B else { return nil }
        var host = authority.prefix { $0 != 0x3A }
        if host.last == 0x2E { host = host.dropLast() }
        return String(decoding: host, as: UTF8.self).lowercased()
    }

    /// The host name in a server_name extension, in lower case (RFC 6066 §3); nil if it has none.
    static func host(inExtension bytes: ByteSpan) -> String? {
        func number(_ index: Int) -> Int { Int(bytes[index]) << 8 | Int(bytes[index + 1]) }
        // The list's length, then each name's kind, length and bytes: a host name's kind is 0, and
        // no other has ever been defined.
        guard bytes.count > 5, number(0) == bytes.count - 2, bytes[2] == 0,
            number(3) > 0, number(3) == bytes.count - 5
        else { return nil }
        return String(decoding: bytes.slice(5, bytes.count), as: UTF8.self).lowercased()
    }
}
