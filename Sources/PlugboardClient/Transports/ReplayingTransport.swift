public import HTTPTransport
public import HTTPTypes
import Locking

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
