public import HTTPTransport
public import HTTPTypes

/// A transport that stores responses with an `ETag` on disk, and revalidates them with each request.
///
/// ```swift
/// let transport = CachingTransport(PlatformTransport(), folder: caches + "/api", maximumBytes: 50 << 20)
/// ```
/// A server that responds with 304 sends no body; the stored response is the result. A response
/// isn't stored with `Cache-Control: no-store` (RFC 9111 §5.2), `Vary: *`, or without an `ETag`.
/// Requests with other credentials or other fields have other entries. The least recently used
/// entries are removed beyond the limit. An unreadable entry counts as absent.
public struct CachingTransport: Transport {
    private let base: any Transport
    private let cache: ResponseCache

    /// Creates a transport over another one, with a folder that only it uses.
    public init(_ base: any Transport, folder: String, maximumBytes: Int = 50 << 20) {
        self.base = base
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
            }), !Self.isForbidden(request.headerFields)
        else {
            return try await base.send(request, body: body)
        }
        let key = ResponseCache.Key(request)
        let stored = cache.entry(for: key)
        var conditional = request
        conditional.headerFields[.ifNoneMatch] = stored?.tag
        let (response, answer) = try await base.send(conditional, body: body)
        if response.status == .notModified, let stored {
            cache.touch(key)
            return (stored.response(updatedBy: response.headerFields), stored.body.bytes)
        }
        if response.status == .ok, let tag = response.headerFields[.eTag],
            !Self.isForbidden(response.headerFields), !Self.variesByAll(response.headerFields)
        {
            cache.store(StoredResponse(key, tag: tag, response, body: answer), for: key)
        } else if response.status.kind != .serverError {
            cache.remove(key)
        }
        return (response, answer)
    }

    /// Streams without the cache.
    public func stream(
        _ request: HTTPRequest,
        body: TransportBody
    ) async throws -> (HTTPResponse, BodyPieces) {
        try await base.stream(request, body: body)
    }

    /// The fields of a caller that has its own cache, or reads a part.
    private static let conditions: [HTTPField.Name] = [
        .ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince, .ifRange, .range,
    ]

    private static func variesByAll(_ fields: HTTPFields) -> Bool {
        (fields[.vary] ?? "").split(separator: ",").contains { $0.contains("*") }
    }

    private static func isForbidden(_ fields: HTTPFields) -> Bool {
        (fields[.cacheControl] ?? "").lowercased().split(separator: ",").contains {
            $0.filter { $0 != " " && $0 != "\t" } == "no-store"
        }
    }
}
