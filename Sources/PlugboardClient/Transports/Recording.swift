public import HTTPTransport
public import HTTPTypes
import JSONCodec
import Locking

/// Requests with their responses, for tests without a network.
public struct Recording: Codable, Sendable, Equatable {
    /// A header field.
    struct Field: Codable, Sendable, Equatable {
        var name: String
        var value: String
    }

    /// A request with its response; bodies are base64.
    struct Exchange: Codable, Sendable, Equatable {
        var method: String
        var url: String
        var fields: [Field]
        var body: Base64
        var status: Int
        var responseFields: [Field]
        var responseBody: Base64
    }

    var exchanges: [Exchange] = []

    /// Creates an empty recording.
    public init() {}

    /// The number of exchanges.
    public var count: Int { exchanges.count }

    /// Reads a recording from JSON.
    ///
    /// - Throws: `DecodingError` or another error of JSON.
    public init(json: [UInt8]) throws { self = try JSON.decode(Self.self, from: json) }

    /// Returns the recording as JSON.
    public func json() throws -> [UInt8] { try JSON.encode(self) }
}

/// A transport that records what another one sends and receives.
///
/// The recording has no secrets of the fields `Authorization`, `Proxy-Authorization`, `Cookie` and
/// `Set-Cookie`. Bodies are recorded as they are.
public final class RecordingTransport: Transport {
    private let base: any Transport
    private let recorded = Locked(Recording())

    /// Creates a transport over another one.
    public init(_ base: any Transport) { self.base = base }

    /// The exchanges so far, in the order of their ends.
    public var recording: Recording { recorded.withLock { $0 } }

    /// Sends a request and records the exchange.
    public func send(
        _ request: HTTPRequest,
        body: [UInt8]
    ) async throws -> (HTTPResponse, [UInt8]) {
        let (response, answer) = try await base.send(request, body: body)
        let exchange = Recording.Exchange(
            method: request.method.rawValue,
            url: Recording.url(of: request),
            fields: Recording.fields(request.headerFields),
            body: Base64(bytes: body),
            status: response.status.code,
            responseFields: Recording.fields(response.headerFields),
            responseBody: Base64(bytes: answer)
        )
        recorded.withLock { $0.exchanges.append(exchange) }
        return (response, answer)
    }
}

/// A transport that responds with a recording's responses, in their order for each request.
public final class ReplayingTransport: Transport {
    private let left: Locked<[Recording.Exchange]>

    /// Creates a transport from a recording.
    public init(_ recording: Recording) { left = Locked(recording.exchanges) }

    /// Returns the next recorded response to this method, URL and body.
    ///
    /// - Throws: `ClientError` of kind `unreachable` if the recording has none left.
    public func send(
        _ request: HTTPRequest,
        body: [UInt8]
    ) async throws -> (HTTPResponse, [UInt8]) {
        let url = Recording.url(of: request)
        let found = left.withLock { left -> Recording.Exchange? in
            let index = left.firstIndex {
                $0.method == request.method.rawValue && $0.url == url && $0.body.bytes == body
            }
            return index.map { left.remove(at: $0) }
        }
        guard let found else {
            throw ClientError(
                .unreachable,
                "The recording has no response left to \(request.method) \(url)"
            )
        }
        var response = HTTPResponse(status: HTTPResponse.Status(code: found.status))
        for field in found.responseFields {
            guard let name = HTTPField.Name(field.name) else { continue }
            response.headerFields.append(HTTPField(name: name, value: field.value))
        }
        return (response, found.responseBody.bytes)
    }
}

extension Recording {
    fileprivate static func url(of request: HTTPRequest) -> String {
        "\(request.scheme ?? "http")://\(request.authority ?? "")\(request.path ?? "/")"
    }

    fileprivate static func fields(_ fields: HTTPFields) -> [Field] {
        fields.map { field in
            Field(
                name: field.name.rawName,
                value: secrets.contains(field.name) ? "…" : field.value
            )
        }
    }

    private static let secrets: Set<HTTPField.Name> = [
        .authorization, .proxyAuthorization, .cookie, .setCookie,
    ]
}
