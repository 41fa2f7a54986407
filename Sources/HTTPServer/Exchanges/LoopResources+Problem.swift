import HTTPSyntax

extension LoopResources {
    /// The response to a request that broke the protocol: problem details (RFC 9457).
    func problem(_ error: ProtocolError, for peer: Peer) -> Response {
        responder.rejected(error, from: peer)
        var body: [UInt8] = []
        body += #"{"detail":""#.utf8
        body += error.detail.description.utf8
        body += #"","status":"#.utf8
        body += String(error.status).utf8
        body += #","title":""#.utf8
        body += StatusCode.reason(error.status).description.utf8
        body += #"","type":"about:blank"}"#.utf8
        let fields = error.status == 503 ? Self.laterFields : Self.problemFields
        return Response(status: error.status, fields: fields, body: .bytes(body))
    }

    private static let problemFields = ResponseFields([
        ("Content-Type", "application/problem+json")
    ])
    /// Adds the time after which the client may retry (RFC 9110 §15.6.4).
    private static let laterFields = problemFields + ResponseFields([("Retry-After", "1")])
}
