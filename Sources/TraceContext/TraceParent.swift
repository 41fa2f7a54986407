/// The position of a request in a distributed trace (W3C Trace Context §3.2).
package struct TraceParent: Sendable, Equatable {
    /// 32 lower-case hexadecimal digits, not all zero.
    package let traceID: String
    /// The caller's span: 16 digits, not all zero.
    package let parentID: String
    /// Whether the caller may have recorded its span (§3.2.2.5).
    package let isSampled: Bool
    /// The field's value, forwarded unchanged.
    ///
    /// A later version may append parts, which are forwarded without a check (§4.2).
    package let text: String

    /// The maximum size of a later version's value, in bytes.
    package static let limit = 256

    /// Parses a `traceparent`; nil if the recommendation calls it invalid.
    ///
    /// Of later versions the known parts are parsed (§4.1). Version `ff` is invalid.
    package init?(_ field: some Collection<UInt8>) {
        guard field.count >= 55, field.count <= Self.limit else { return nil }
        let bytes = Array(field)
        guard bytes[2] == 0x2D, bytes[35] == 0x2D, bytes[52] == 0x2D else { return nil }
        func digits(_ range: Range<Int>) -> String? {
            let part = bytes[range]
            let isHexadecimal = part.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
            }
            return isHexadecimal ? String(decoding: part, as: UTF8.self) : nil
        }
        guard let version = digits(0..<2), version != "ff", let trace = digits(3..<35),
            let parent = digits(36..<52), let text = digits(53..<55),
            let flags = UInt8(text, radix: 16),
            trace.contains(where: { $0 != "0" }), parent.contains(where: { $0 != "0" })
        else { return nil }
        if version == "00" {
            guard bytes.count == 55 else { return nil }
        } else if bytes.count > 55 {
            guard bytes[55] == 0x2D, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                return nil
            }
        }
        traceID = trace
        parentID = parent
        isSampled = flags & 1 == 1
        self.text = String(decoding: bytes, as: UTF8.self)
    }
}
