import HTTPSyntax

/// The facts of a request that its response depends on.
///
/// An exchange prepares each response. HTTP/1.1 and HTTP/2 write the prepared response.
struct Exchange: Equatable {
    /// The request is the connection's first.
    var isFirst = true
    var isHead = false
    var minorVersion: UInt8 = 1
    var keepsAlive = true
    /// The default fields that no response to this request has.
    var omitted = DefaultFields.Omissions.transportSecurity

    /// Derives a response's framing: the length in its head, and whether a body follows (RFC 9110
    /// §6.4, §8.6, §9.3.2).
    @inline(__always)
    func prepare(_ response: borrowing Response) -> Preparation {
        var result = Preparation(closes: response.closes || !keepsAlive)
        // Neither 204 nor 304 has a body, so neither has a Content-Length (§8.6).
        guard StatusCode.allowsBody(response.status) else { return result }
        switch response.body {
        // Without a length a client would wait for the connection's end.
        case .none: assertionFailure("a response of status \(response.status) needs a body")
        case .bytes(let bytes):
            result.length = bytes.count
            result.heldBytes = isHead || response.isKept ? 0 : bytes.count
        case .file(let file): result.length = file.range.count
        case .stream: result.isStreamed = true
        }
        result.sendsBody = !isHead && (result.isStreamed || result.length != 0)
        return result
    }
}

/// The framing of a response.
struct Preparation: Equatable {
    /// The connection ends after this response.
    var closes = false
    /// The Content-Length; nil without a body, or if the body is streamed.
    var length: Int?
    /// The body is streamed.
    var isStreamed = false
    /// The body follows the head.
    ///
    /// False for HEAD and for an empty body.
    var sendsBody = false
    /// The bytes of memory that the response occupies until its client has received it.
    var heldBytes = 0
}
