/// Version 2 of the PROXY protocol.
extension ProxyHeader {
    /// The first bytes, which no other protocol has.
    static let signature: StaticString = "\r\n\r\n\0\r\nQUIT\n"

    /// The size of signature, version, command, family, protocol and length.
    private static let fixedLength = 16

    static func binary(_ bytes: ByteSpan) throws(Failure) -> ProxyHeader {
        // The version is checked as soon as it arrives, so that garbage has no reason to wait.
        if bytes.count > 12 { guard bytes[12] == 0x20 || bytes[12] == 0x21 else { throw .invalid } }
        if bytes.count > 13 {
            guard bytes[13] >> 4 <= 3, bytes[13] & 0xF <= 2 else { throw .invalid }
        }
        guard bytes.count >= fixedLength else { return .partial }
        let length = fixedLength + bytes.number(at: 14)
        guard length <= limit else { throw .tooLong }
        let isLocal = bytes[12] == 0x20
        // The address block has a fixed size. Protocols other than TCP count as unknown ones.
        let family = isLocal || bytes[13] & 0xF == 0 ? 0 : bytes[13] >> 4
        let addresses = [0, 12, 36, 216][Int(family)]
        guard length >= fixedLength + addresses else { throw .invalid }
        guard bytes.count >= length else { return .partial }
        let header = bytes.slice(0, length)
        // A local connection's block has no meaning.
        if !isLocal, family != 0 { try checkExtensions(header, from: fixedLength + addresses) }
        let isTCP = bytes[13] & 0xF == 1
        switch family {
        case 1 where isTCP:
            let address = UInt32(header.number(at: 16) << 16 | header.number(at: 18))
            return .complete(length: length, .client(IPAddress(ipv4: address)))
        case 2 where isTCP:
            let address = IPAddress(high: header.word(at: 16), low: header.word(at: 24))
            return .complete(length: length, .client(address))
        default: return .complete(length: length, .proxy)
        }
    }

    /// Checks the lengths of the extensions, and the checksum if there is one.
    private static func checkExtensions(_ header: ByteSpan, from start: Int) throws(Failure) {
        var index = start
        while index < header.count {
            guard index + 3 <= header.count else { throw .invalid }
            let value = index + 3
            let end = value + header.number(at: index + 1)
            guard end <= header.count else { throw .invalid }
            if header[index] == checksumType {
                guard end - value == 4 else { throw .invalid }
                let sum = UInt32(header.number(at: value) << 16 | header.number(at: value + 2))
                guard CRC32C.sum(header, without: value..<end) == sum else { throw .checksum }
            }
            index = end
        }
    }

    /// PP2_TYPE_CRC32C.
    private static let checksumType: UInt8 = 0x03
}

extension ByteSpan {
    /// The number of two bytes in network order.
    fileprivate func number(at index: Int) -> Int { Int(self[index]) << 8 | Int(self[index + 1]) }

    /// The number of eight bytes in network order.
    fileprivate func word(at index: Int) -> UInt64 {
        self[index..<index + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// The checksum of RFC 9260, appendix A: CRC with Castagnoli's polynomial.
enum CRC32C {
    /// The sum of the bytes, in which those of `blank` count as zeros.
    static func sum(_ bytes: ByteSpan, without blank: Range<Int>) -> UInt32 {
        var sum = UInt32.max
        for index in bytes.indices {
            sum ^= blank.contains(index) ? 0 : UInt32(bytes[index])
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0x82F6_3B78 : sum >> 1 }
        }
        return ~sum
    }
}
