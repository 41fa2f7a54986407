/// The vendor-specific members of a trace, in addition to `traceparent` (W3C Trace Context §3.3).
package struct TraceState: Sendable, Equatable {
    /// The maximum number of members (§3.3.1.1); a longer list is dropped.
    package static let memberLimit = 32
    /// The maximum size to propagate, in bytes: the recommended minimum (§3.3.1.5).
    package static let limit = 512
    /// The size from which members are dropped first if the list is too long.
    private static let largeMember = 128

    /// The members to forward, `key=value`, the last system's first.
    package private(set) var members: [String] = []

    /// The field's value; empty without members.
    package var text: String { members.joined(separator: ",") }

    /// Parses all `tracestate` fields of a request as one list.
    ///
    /// Invalid members are dropped, as are duplicates of a key. Whitespace around members is
    /// removed.
    package init(_ fields: [String]) {
        var keys: Set<String> = []
        var count = 0
        for field in fields {
            for part in field.utf8.split(separator: 0x2C) {
                let member = Self.trimmed(part)
                guard !member.isEmpty else { continue }
                count += 1
                guard let key = Self.key(member), keys.insert(key).inserted else { continue }
                members.append(String(decoding: member, as: UTF8.self))
            }
        }
        if count > Self.memberLimit { members = [] }
        truncate()
    }

    /// Drops whole members: large ones first, then the oldest ones.
    private mutating func truncate() {
        var length = members.reduce(members.count - 1) { $0 + $1.utf8.count }
        for isLarge in [true, false] {
            for index in members.indices.reversed() where length > Self.limit {
                let size = members[index].utf8.count
                guard !isLarge || size > Self.largeMember else { continue }
                members.remove(at: index)
                length -= size + 1
            }
        }
    }

    private static func trimmed(_ part: Substring.UTF8View) -> Substring.UTF8View {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        var part = part
        while let first = part.first, isSpace(first) { part.removeFirst() }
        while let last = part.last, isSpace(last) { part.removeLast() }
        return part
    }

    /// Returns the key of `key "=" value`; nil if the member is invalid.
    private static func key(_ member: Substring.UTF8View) -> String? {
        guard let equals = member.firstIndex(of: 0x3D) else { return nil }
        let (key, value) = (member[..<equals], member[equals...].dropFirst())
        guard (1...256).contains(key.count), (1...256).contains(value.count),
            let first = key.first, isLetterOrDigit(first), key.allSatisfy(isOfKey),
            value.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x3D })
        else { return nil }
        return String(decoding: key, as: UTF8.self)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }

    private static func isOfKey(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "/"),
            UInt8(ascii: "@"):
            true
        default: isLetterOrDigit(byte)
        }
    }
}
