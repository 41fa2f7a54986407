import HTTPSyntax

/// The certificate for each host name (RFC 6125 §6.4).
///
/// A wildcard in a certificate matches exactly one label (§6.4.3). If several certificates have a
/// name, the first one of each kind of key is used: the client's algorithms decide between them.
struct ServerNames: Sendable {
    /// The indices of each name's certificates.
    ///
    /// Names are in lower case.
    private let certificates: [String: [Int]]
    /// The kind of each certificate's key.
    private let kinds: [CInt]

    /// Indexes the names of each certificate, including wildcards.
    init(_ names: [[String]], kinds: [CInt]) {
        var certificates: [String: [Int]] = [:]
        for (index, names) in names.enumerated() {
            for name in Set(names.map { $0.lowercased() }) where Self.isUsable(name) {
                certificates[name, default: []].append(index)
            }
        }
        self.certificates = certificates
        self.kinds = kinds
    }

    /// Whether a name is usable: a wildcard has to be the whole first label, followed by at least
    /// two others.
    private static func isUsable(_ name: String) -> Bool {
        guard name.contains("*") else { return true }
        let rest = name.dropFirst(2)
        return name.hasPrefix("*.") && !rest.contains("*") && rest.dropFirst().contains(".")
    }

    /// Whether a host has a certificate.
    func isKnown(_ host: String) -> Bool {
        certificates[host] != nil || certificates[Self.wildcard(for: host)] != nil
    }

    /// The certificates for a host: the first one of each kind of key; none for an unknown host.
    func group(for host: String) -> [Int] {
        let exact = certificates[host] ?? []
        return firstOfEachKind(exact + (certificates[Self.wildcard(for: host)] ?? []))
    }

    private func firstOfEachKind(_ list: [Int]) -> [Int] {
        var known: Set<CInt> = []
        return list.filter { known.insert(kinds[$0]).inserted }
    }

    /// The group for hosts without a certificate: the first one, and those that have its names.
    private var standard: [Int] {
        let names = certificates.filter { $0.value.contains(0) }.keys
        let others = kinds.indices.dropFirst().filter { other in
            !names.isEmpty
                && names.allSatisfy { certificates[$0]?.contains(other) == true }
        }
        return firstOfEachKind([0] + others)
    }

    /// All groups, the one for unknown hosts first.
    var groups: [[Int]] {
        var groups = [standard]
        for name in certificates.keys.sorted() {
            let group =
                name.hasPrefix("*") ? firstOfEachKind(certificates[name] ?? []) : group(for: name)
            if !groups.contains(group) { groups.append(group) }
        }
        return groups
    }

    /// Whether a certificate covers a host.
    func covers(_ host: String, by certificate: Int) -> Bool {
        certificates[host]?.contains(certificate) ?? false
            || certificates[Self.wildcard(for: host)]?.contains(certificate) ?? false
    }

    private static func wildcard(for host: String) -> String {
        "*" + host.drop { $0 != "." }
    }

    /// Normalizes an authority to a host name: lower case, without the port and the final dot.
    ///
    /// Nil for an IPv6 address in brackets.
    static func host(of authority: ByteSpan) -> String? {
        guard authority.first != 0x5B else { return nil }
        var host = authority.prefix { $0 != 0x3A }
        if host.last == 0x2E { host = host.dropLast() }
        return String(decoding: host, as: UTF8.self).lowercased()
    }

    /// The host name in a server_name extension, in lower case (RFC 6066 §3); nil if it has none.
    static func host(inExtension bytes: ByteSpan) -> String? {
        func number(_ index: Int) -> Int { Int(bytes[index]) << 8 | Int(bytes[index + 1]) }
        // The extension has the list's length, then each name's kind, length and bytes. The kind of
        // a host name is 0, and no other is defined.
        guard bytes.count > 5, number(0) == bytes.count - 2, bytes[2] == 0,
            number(3) > 0, number(3) == bytes.count - 5
        else { return nil }
        return String(decoding: bytes.slice(5, bytes.count), as: UTF8.self).lowercased()
    }
}
