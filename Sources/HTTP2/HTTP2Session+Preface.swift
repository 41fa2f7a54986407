package import HTTPSyntax

extension HTTP2Session {
    /// What an HTTP/2 client sends first (RFC 9113 §3.4).
    package static let preface: StaticString = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

    /// What a client that speaks HTTP/2 without being asked sends first, as far as it has come.
    package enum Preface {
        /// Something else, perhaps HTTP/1.1.
        case none
        case partial
        case complete
        /// A line of three words in capitals, which are no method, no target and no version of
        /// HTTP/1.1: whoever sent it speaks neither.
        case broken
    }

    /// Judges a connection's first bytes, which are no HTTP/1.1 request.
    package static func preface(_ bytes: ByteSpan) -> Preface {
        let count = min(bytes.count, preface.utf8CodeUnitCount)
        if (0..<count).allSatisfy({ bytes[$0] == preface.utf8Start[$0] }) {
            return count == preface.utf8CodeUnitCount ? .complete : .partial
        }
        guard let method = bytes.firstIndex(of: 0x20), isWord(bytes.slice(0, method)),
            Method(bytes.slice(0, method)) == .unknown,
            let target = bytes[(method + 1)...].firstIndex(of: 0x20),
            isWord(bytes.slice(method + 1, target)),
            let end = bytes[(target + 1)...].firstIndex(of: 0x0D),
            isWord(bytes.slice(target + 1, end)), bytes[target + 1] != UInt8(ascii: "H")
        else { return .none }
        return .broken
    }

    private static func isWord(_ bytes: ByteSpan) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { (0x41...0x5A).contains($0) }
    }
}
