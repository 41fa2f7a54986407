package import HTTPTypes

/// The bytes of an HTTP/1.1 request (RFC 9112).
package enum RequestBytes {
    /// The head and the body in one piece; the head alone of a body that comes in chunks.
    ///
    /// - Throws: a ``ClientError`` of kind `invalidInput` where the target would break the head.
    package static func encode(
        _ request: HTTPRequest,
        body: [UInt8],
        isChunked: Bool = false
    ) throws(ClientError) -> [UInt8] {
        let target = request.path ?? "/"
        guard target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ClientError(.invalidInput, "The path \"\(target)\" is not percent-encoded")
        }
        var head = "\(request.method.rawValue) \(target) HTTP/1.1\r\n"
        head += "Host: \(request.authority ?? "")\r\n"
        for field in request.headerFields where !own.contains(field.name) {
            head += "\(field.name.rawName): \(field.value)\r\n"
        }
        // Without a body these still say so, because a server expects one (RFC 9110, 8.6).
        if isChunked {
            head += "Transfer-Encoding: chunked\r\n"
        } else if !body.isEmpty || request.method.announcesBody {
            head += "Content-Length: \(body.count)\r\n"
        }
        head += "\r\n"
        return Array(head.utf8) + body
    }

    /// A piece of a body as a chunk (RFC 9112 §7.1); nil stands for the end.
    static func chunk(_ piece: [UInt8]?) -> [UInt8] {
        guard let piece else { return Array("0\r\n\r\n".utf8) }
        // One of nothing would be the end.
        guard !piece.isEmpty else { return [] }
        return Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [0x0D, 0x0A]
    }

    /// The line that tells a server how long it has, to be put before the empty one that ends the head.
    static func timeout(_ left: Duration) -> [UInt8] {
        let (seconds, attoseconds) = left.components
        // Three digits behind the point (RFC 9651 §3.3.2), and never nothing, which isn't a time.
        let milliseconds = max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        return Array("Request-Timeout: \(milliseconds / 1000).\(fraction)\r\n".utf8)
    }

    /// The fields that frame the message, which nobody else may set.
    private static let own: Set<HTTPField.Name> = {
        var names: Set<HTTPField.Name> = [.contentLength, .transferEncoding, .connection]
        if let host = HTTPField.Name("Host") { names.insert(host) }
        return names
    }()
}

extension HTTPField.Name {
    /// How long an answer is waited for, in seconds.
    static let requestTimeout = HTTPField.Name("Request-Timeout")
}

extension HTTPFields {
    /// Whether somebody has said how long the answer is waited for.
    var haveTimeout: Bool { HTTPField.Name.requestTimeout.map { contains($0) } ?? false }
}

extension HTTPRequest.Method {
    /// Whether a server expects a body, or to be told that there is none (RFC 9110 §8.6).
    var announcesBody: Bool { self == .post || self == .put || self == .patch }
}
