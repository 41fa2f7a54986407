/// The fields in which proxies name the client.
enum ForwardedField {
    /// RFC 7239.
    case forwarded
    /// `X-Forwarded-For`.
    case members

    /// The name in lower case.
    var name: StaticString {
        switch self {
        case .forwarded: "forwarded"
        case .members: "x-forwarded-for"
        }
    }
}

/// One field line of `Forwarded` or `X-Forwarded-For`, read for its client.
///
/// Each proxy adds an entry at the end. So only the last entries come from trusted proxies, and an
/// entry before the client's may be forged. The line is read once, from its start: each entry that
/// isn't a trusted proxy makes the earlier ones irrelevant.
struct ForwardedLine {
    /// The last entry that isn't a trusted proxy; nil if all are.
    private(set) var client: ForwardedNode?
    /// The first trusted proxy after `client`; nil without one.
    private(set) var proxy: IPAddress?
    /// The number of trusted proxies after `client`.
    private(set) var proxies = 0

    private mutating func note(_ node: ForwardedNode, _ trusted: TrustedProxies) {
        if case .address(let address) = node, trusted.contains(address) {
            if proxy == nil { proxy = address }
            proxies += 1
        } else {
            (client, proxy, proxies) = (node, nil, 0)
        }
    }
}

extension ForwardedLine {
    init(
        _ value: ByteSpan,
        of field: ForwardedField,
        _ trusted: TrustedProxies
    ) throws(ProtocolError) {
        switch field {
        case .forwarded: try self.init(forwarded: value, trusted)
        case .members: self.init(members: value, trusted)
        }
    }

    /// Reads the value of `X-Forwarded-For`: addresses with commas between them.
    init(members value: ByteSpan, _ trusted: TrustedProxies) {
        var start = 0
        while start <= value.count {
            var end = start
            while end < value.count, value[end] != 0x2C { end += 1 }
            let member = value.slice(start, end).trimmed
            if !member.isEmpty { note(ForwardedNode(member: member), trusted) }
            start = end + 1
        }
    }

    /// Reads the value of `Forwarded` (RFC 7239 §4).
    ///
    /// Only `for` is read. An element without it hides its client.
    ///
    /// - Throws: If the text isn't a list of elements. A lenient parser could take a client's quoted
    ///   text for a proxy's element.
    init(forwarded value: ByteSpan, _ trusted: TrustedProxies) throws(ProtocolError) {
        var index = 0
        var node: ForwardedNode?
        var isEmpty = true
        while true {
            index = value.index(after: index) { $0 == 0x20 || $0 == 0x09 }
            if index < value.count, ByteClass.isToken(value[index]) {
                let pair = try ForwardedPair(value, at: &index)
                isEmpty = false
                if let added = pair.node { node = node == nil ? added : .invalid }
                index = value.index(after: index) { $0 == 0x20 || $0 == 0x09 }
            }
            guard index == value.count || value[index] == 0x2C else {
                guard value[index] == 0x3B else { throw .badForwarded }
                index += 1
                continue
            }
            if !isEmpty { note(node ?? .hidden, trusted) }
            guard index < value.count else { return }
            (node, isEmpty) = (nil, true)
            index += 1
        }
    }
}

/// A parameter of an element of `Forwarded`: `token "=" ( token / quoted-string )`.
private struct ForwardedPair {
    /// The value of `for`; nil for another parameter.
    let node: ForwardedNode?

    init(_ text: ByteSpan, at index: inout Int) throws(ProtocolError) {
        let start = index
        index = text.index(after: index, while: ByteClass.isToken)
        let name = text.slice(start, index)
        guard index + 1 < text.count, text[index] == 0x3D else { throw .badForwarded }
        index += 1
        var value: ByteSpan
        var hasEscapes = false
        if text[index] == 0x22 {
            index += 1
            let first = index
            while index < text.count, text[index] != 0x22 {
                if text[index] == 0x5C {
                    hasEscapes = true
                    index += 1
                }
                index += 1
            }
            guard index < text.count else { throw .badForwarded }
            value = text.slice(first, index)
            index += 1
        } else {
            let first = index
            index = text.index(after: index, while: ByteClass.isToken)
            guard index > first else { throw .badForwarded }
            value = text.slice(first, index)
        }
        guard name.equals(lowercase: "for") else {
            node = nil
            return
        }
        // No identifier needs an escape.
        node = hasEscapes ? .invalid : ForwardedNode(forwarded: value)
    }
}

extension ByteSpan {
    /// The index of the first byte from `start` on that doesn't meet the condition.
    fileprivate func index(after start: Int, while holds: (UInt8) -> Bool) -> Int {
        var index = start
        while index < count, holds(self[index]) { index += 1 }
        return index
    }
}
