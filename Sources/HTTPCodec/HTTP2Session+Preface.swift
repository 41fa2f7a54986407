extension HTTP2Session {
    /// What an HTTP/2 client sends first (RFC 9113 §3.4).
    package static let preface: StaticString = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

    /// What a client that speaks HTTP/2 without being asked sends first, as far as it has come.
    package enum Preface {
        /// Something else, perhaps HTTP/1.1.
        case none
        case partial
        case complete
        /// A line of three words of which none is HTTP/1.1's: whoever sent it speaks neither.
        case broken
    }

    /// Judges a connection's first bytes, which are no HTTP/1.1 request.
    package static func preface(_ bytes: ByteSpan) -> Preface {
        let count = min(bytes.count, preface.utf8CodeUnitCount)
        if (0..<count).allSatisfy({ bytes[$0] == preface.utf8Start[$0] }) {
            return count == preface.utf8CodeUnitCount ? .complete : .partial
        }
        guard let method = bytes.firstIndex(of: 0x20), method > 0,
            bytes[..<method].allSatisfy(ByteClass.isToken),
            Method(bytes.slice(0, method)) == .unknown,
            let target = bytes[(method + 1)...].firstIndex(of: 0x20), target > method + 1,
            bytes[(method + 1)..<target].allSatisfy(ByteClass.isToken),
            let end = bytes[(target + 1)...].firstIndex(of: 0x0D), end > target + 1,
            bytes[(target + 1)..<end].allSatisfy(ByteClass.isToken)
        else { return .none }
        return .broken
    }
}
