import HTTPSyntax
import HTTPServer
public import HTTPTypes
public import PlugHTTP

/// A response as a ``Middleware`` receives or creates it.
public struct ServerResponse: Sendable {
    /// The status.
    public var status: HTTPResponse.Status
    /// The fields, without those that frame the message, which the server sets.
    public var fields: HTTPFields
    private var body: Response.Body
    private var closes = false

    /// Creates a response with a complete body.
    public init(
        status: HTTPResponse.Status,
        fields: HTTPFields = [:],
        body: [UInt8] = []
    ) {
        self.status = status
        self.fields = fields
        let allowsBody = StatusCode.allowsBody(UInt16(clamping: status.code))
        // A 205 has no content (RFC 9110 §15.3.6).
        self.body = allowsBody ? .bytes(status == .resetContent ? [] : body) : .none
    }

    /// Creates the response for a problem.
    public init(_ problem: Problem) {
        self.init(ProblemResponse.make(problem))
    }

    init(_ response: Response) {
        status = HTTPResponse.Status(code: Int(response.status))
        body = response.body
        closes = response.closes
        fields = HTTPFields()
        response.fields.forEach { name, value in
            guard let name = HTTPField.Name(name.text) else { return }
            fields.append(HTTPField(name: name, value: value.text))
        }
    }

    /// The response as the server sends it.
    var response: Response {
        let lines = fields.filter { !Self.framing.contains($0.name) }.map {
            (name: $0.name.rawName, value: $0.value)
        }
        // An informational status can't be the final one.
        let code = UInt16(clamping: max(200, status.code))
        let allowsBody = StatusCode.allowsBody(code)
        var response = Response(
            status: code,
            fields: ResponseFields(lines),
            body: allowsBody ? body : .none
        )
        if allowsBody, case .none = body { response.body = .bytes([]) }
        response.closes = closes
        response.omitted = omitted
        return response
    }

    /// The default fields that the response has its own of.
    private var omitted: DefaultFields.Omissions {
        var omitted: DefaultFields.Omissions = []
        if fields.contains(.xContentTypeOptions) { omitted.insert(.contentTypeOptions) }
        if fields.contains(.crossOriginResourcePolicy) { omitted.insert(.resourcePolicy) }
        if fields.contains(.strictTransportSecurity) { omitted.insert(.transportSecurity) }
        return omitted
    }

    /// The fields that frame a message, which the server sets.
    private static let framing: Set<HTTPField.Name> = [
        .contentLength, .transferEncoding, .connection, .date, .upgrade,
    ]
}
