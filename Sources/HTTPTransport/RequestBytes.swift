package import HTTPTypes

/// The bytes of an HTTP/1.1 request (RFC 9112).
package enum RequestBytes {
    /// Encodes the head and the body, or only the head if the body is chunked.
    ///
    /// - Throws: ``ClientError`` of kind `invalidInput` if the target would break the head.
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
        // A request has one such field (RFC 6265 §5.4); the library joins the pairs.
        if let cookies = request.headerFields[.cookie] { head += "Cookie: \(cookies)\r\n" }
        // These methods announce even an empty body, because servers expect one (RFC 9110 §8.6).
        if isChunked {
            head += "Transfer-Encoding: chunked\r\n"
        } else if !body.isEmpty || request.method.announcesBody {
            head += "Content-Length: \(body.count)\r\n"
        }
        head += "\r\n"
        return Array(head.utf8) + body
    }

    /// Encodes a piece of a body as a chunk (RFC 9112 §7.1); nil encodes the last chunk.
    static func chunk(_ piece: [UInt8]?) -> [UInt8] {
        guard let piece else { return Array("0\r\n\r\n".utf8) }
        // An empty chunk would end the body.
        guard !piece.isEmpty else { return [] }
        return Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [0x0D, 0x0A]
    }

    /// Encodes the line with the server's time limit, for insertion before the head's empty line.
    static func timeout(_ left: Duration) -> [UInt8] {
        Array("Request-Timeout: \(timeoutText(left))\r\n".utf8)
    }

    /// Encodes a time limit in seconds.
    package static func timeoutText(_ left: Duration) -> String {
        // Three decimal places and twelve digits before them (RFC 9651 §3.3.2), and at least 1 ms,
        // since 0 isn't a valid time.
        let (seconds, attoseconds) = Timeout.clamped(left).components
        let milliseconds = max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        return "\(milliseconds / 1000).\(fraction)"
    }

    /// The fields that frame the message, which callers can't set, and the one that is joined.
    private static let own: Set<HTTPField.Name> = {
        var names: Set<HTTPField.Name> = [
            .contentLength, .transferEncoding, .connection, .cookie,
        ]
        if let host = HTTPField.Name("Host") { names.insert(host) }
        return names
    }()
}

extension HTTPField.Name {
    /// The client's timeout in seconds.
    package static let requestTimeout = HTTPField.Name("Request-Timeout")
}

extension HTTPFields {
    /// Whether the caller has set a timeout.
    var haveTimeout: Bool { HTTPField.Name.requestTimeout.map { contains($0) } ?? false }
}

extension HTTPRequest.Method {
    /// Whether a server expects a body, or a `Content-Length` of 0 (RFC 9110 §8.6).
    var announcesBody: Bool { self == .post || self == .put || self == .patch }
}
