public import HTTPTransport
public import HTTPTypes
import Locking

/// A transport that records what another one sends and receives.
///
/// The recording has no secrets of the fields `Authorization`, `Proxy-Authorization`, `Cookie` and
/// `Set-Cookie`. Bodies are recorded as they are. A streamed response is recorded as far as it was
/// read, and a streamed request without its body.
public final class RecordingTransport: Transport {
    private let base: any Transport
    private let recorded = Locked(Recording())

    /// Creates a transport over another one.
    public init(_ base: any Transport) { self.base = base }

    /// The exchanges so far, in the order of their responses.
    public var recording: Recording { recorded.withLock { $0 } }

    /// Sends a request and records the exchange.
    public func send(
        _ request: HTTPRequest,
        body: [UInt8]
    ) async throws -> (HTTPResponse, [UInt8]) {
        let (response, received) = try await base.send(request, body: body)
        _ = record(request, body, response, received)
        return (response, received)
    }

    /// Sends a request and records the exchange, piece by piece.
    public func stream(
        _ request: HTTPRequest,
        body: TransportBody
    ) async throws -> (HTTPResponse, BodyPieces) {
        let (response, pieces) = try await base.stream(request, body: body)
        let sent: [UInt8] = if case .bytes(let bytes) = body { bytes } else { [] }
        let place = record(request, sent, response, [])
        return (
            response,
            BodyPieces { [recorded] in
                var iterator = pieces.makeAsyncIterator()
                guard let piece = try await iterator.next() else { return nil }
                recorded.withLock { $0.exchanges[place].responseBody.bytes += piece }
                return piece
            }
        )
    }

    /// Adds an exchange and returns its place.
    private func record(
        _ request: HTTPRequest,
        _ body: [UInt8],
        _ response: HTTPResponse,
        _ received: [UInt8]
    ) -> Int {
        let exchange = Recording.Exchange(
            method: request.method.rawValue,
            url: Recording.url(of: request),
            fields: Recording.fields(request.headerFields),
            body: Base64(bytes: body),
            status: response.status.code,
            responseFields: Recording.fields(response.headerFields),
            responseBody: Base64(bytes: received)
        )
        return recorded.withLock { recorded in
            recorded.exchanges.append(exchange)
            return recorded.exchanges.count - 1
        }
    }
}
