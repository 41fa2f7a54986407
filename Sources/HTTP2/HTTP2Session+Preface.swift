package import HTTPSyntax

extension HTTP2Session {
    /// The first bytes of an HTTP/2 client (RFC 9113 §3.4).
    package static let preface: StaticString = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

    /// The result of matching a client's first bytes with the preface.
    package enum Preface {
        /// Not a preface, perhaps HTTP/1.1.
        case none
        case partial
        case complete
        /// Three words in capitals that are neither the preface nor an HTTP/1.1 request line.
        case broken
    }

    /// Checks a connection's first bytes that aren't an HTTP/1.1 request.
    package static func preface(_ bytes: ByteSpan) -> Preface {
        let count = min(bytes.count, preface.utf8CodeUnitCount)
        if (0..<count).allSatisfy({ bytes[$0] == preface.utf8Start[$0] }) {
            return count == preface.utf8CodeUnitCount ? .complete : .partial
        }
        guard let method = bytes.firstIndex(of: 0x20), isWord(bytes.slice(0, method)),
            isForeign(bytes.slice(0, method)),
            let target = bytes[(method + 1)...].firstIndex(of: 0x20),
            isWord(bytes.slice(method + 1, target)),
            let end = bytes[(target + 1)...].firstIndex(of: 0x0D),
            isWord(bytes.slice(target + 1, end)), bytes[target + 1] != UInt8(ascii: "H")
        else { return .none }
        return .broken
    }

    /// Whether no HTTP/1.1 request begins with this method; PRI is reserved (RFC 9113 §11.6).
    private static func isForeign(_ method: ByteSpan) -> Bool {
        Method(method) == .unknown || method.equals("PRI")
    }

    private static func isWord(_ bytes: ByteSpan) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { (0x41...0x5A).contains($0) }
    }
}
