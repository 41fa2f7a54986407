package import HTTPTypes

/// The bytes of an HTTP/1.1 request (RFC 9112).
package enum RequestBytes {
    /// The head and the body in one piece.
    ///
    /// - Throws: a ``ClientError`` of kind `invalidInput` where the target would break the head.
    package static func encode(_ request: HTTPRequest, body: [UInt8]) throws(ClientError) -> [UInt8]
    {
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
        if !body.isEmpty || request.method.announcesBody {
            head += "Content-Length: \(body.count)\r\n"
        }
        head += "\r\n"
        return Array(head.utf8) + body
    }

    /// The fields that frame the message, which nobody else may set.
    private static let own: Set<HTTPField.Name> = {
        var names: Set<HTTPField.Name> = [.contentLength, .transferEncoding, .connection]
        if let host = HTTPField.Name("Host") { names.insert(host) }
        return names
    }()
}

extension HTTPRequest.Method {
    /// Whether a server expects a body, or to be told that there is none (RFC 9110 §8.6).
    var announcesBody: Bool { self == .post || self == .put || self == .patch }
}
