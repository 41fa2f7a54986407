public import HTTPTransport
public import HTTPTypes
import HTTPSyntax
import PlugHTTP

/// A transport that stores responses with an `ETag` on disk, and revalidates them with each request.
///
/// ```swift
/// let transport = CachingTransport(PlatformTransport(), folder: caches + "/api", maximumBytes: 50 << 20)
/// ```
/// A server that responds with 304 sends no body; the stored response is the result. A response
/// isn't stored with `Cache-Control: no-store` (RFC 9111 §5.2), `Vary: *`, or without an `ETag`.
/// Requests with other credentials or other fields have other entries. The least recently used
/// entries are removed beyond the limit. An unreadable entry counts as absent.
///
/// With `offline` an app works without a network: if the server can't be reached, doesn't respond
/// before the call's deadline, or responds with 502, 503 or 504, the result is the stored response.
/// `Age` has its seconds since the server's last confirmation. A stale response with `must-revalidate`
/// is no such result (§5.2.2.2). One with `no-cache` is: the app asks for it.
public struct CachingTransport: Transport {
    private let base: any Transport
    private let cache: ResponseCache
    private let offline: (@Sendable (HTTPRequest, any Error) -> Void)?

    /// Creates a transport over another one, with a folder that only it uses.
    ///
    /// `offline` receives each request whose result is the stored response instead of the server's,
    /// with the reason: `ClientError` or `Problem`. Without it these requests fail.
    public init(
        _ base: any Transport,
        folder: String,
        maximumBytes: Int = 50 << 20,
        offline: (@Sendable (HTTPRequest, any Error) -> Void)? = nil
    ) {
        self.base = base
        self.offline = offline
        cache = ResponseCache(folder: folder, maximumBytes: maximumBytes)
    }

    /// Sends a request, with the tag of its stored response if there is one.
    public func send(
        _ request: HTTPRequest,
        body: [UInt8]
    ) async throws -> (HTTPResponse, [UInt8]) {
        guard request.method == .get, body.isEmpty,
            Self.conditions.allSatisfy({
                !request.headerFields.contains($0)
            }), !CacheControl(request.headerFields[.cacheControl]).forbidsStoring
        else {
            return try await base.send(request, body: body)
        }
        let key = ResponseCache.Key(request)
        let stored = cache.entry(for: key)
        let sent = WallClock.seconds
        var conditional = request
        conditional.headerFields[.ifNoneMatch] = stored?.tag
        func replacement(for reason: (any Error)?) -> (HTTPResponse, [UInt8])? {
            guard let stored, let offline, let reason,
                let response = stored.unvalidated(at: WallClock.seconds)
            else { return nil }
            offline(request, reason)
            return (response, stored.body.bytes)
        }
        let (response, bytes): (HTTPResponse, [UInt8])
        do {
            (response, bytes) = try await base.send(conditional, body: body)
        } catch {
            guard let result = replacement(for: Self.reason(error)) else { throw error }
            return result
        }
        if [502, 503, 504].contains(response.status.code),
            let result = replacement(for: Problem(status: response.status))
        {
            return result
        }
        if response.status == .notModified, var stored {
            stored.update(by: response.headerFields, at: sent)
            store(stored, for: key)
            return (stored.response, stored.body.bytes)
        }
        if response.status == .ok, let tag = response.headerFields[.eTag] {
            store(StoredResponse(key, tag: tag, response, body: bytes, at: sent), for: key)
        } else if [.ok, .notFound, .gone].contains(response.status) {
            // Any other status says nothing of the resource: 401, 429, 503.
            cache.remove(key)
        }
        return (response, bytes)
    }

    /// Stores a response, or removes the entry if its fields forbid storing.
    private func store(_ stored: StoredResponse, for key: ResponseCache.Key) {
        let fields = stored.response.headerFields
        if CacheControl(fields[.cacheControl]).forbidsStoring || Self.variesByAll(fields) {
            cache.remove(key)
        } else {
            cache.store(stored, for: key)
        }
    }

    /// Streams without the cache.
    public func stream(
        _ request: HTTPRequest,
        body: TransportBody
    ) async throws -> (HTTPResponse, BodyPieces) {
        try await base.stream(request, body: body)
    }

    /// Returns why there is no response: a broken connection, or the call's deadline; nil for others.
    private static func reason(_ error: any Error) -> (any Error)? {
        if let error = error as? ClientError { return error.isBreak ? error : nil }
        guard error is CancellationError, CallDeadline.isOver else { return nil }
        return ClientError(.timedOut, "The server did not respond in time")
    }

    /// The fields of a caller that has its own cache, or reads a part.
    private static let conditions: [HTTPField.Name] = [
        .ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince, .ifRange, .range,
    ]

    private static func variesByAll(_ fields: HTTPFields) -> Bool {
        (fields[.vary] ?? "").split(separator: ",").contains { $0.contains("*") }
    }
}
