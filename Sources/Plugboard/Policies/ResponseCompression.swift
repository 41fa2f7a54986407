import Gzip
import HTTPSyntax
import HTTPServer
import Locking
import Tracing

/// Compresses response bodies with gzip for clients that accept it.
///
/// Only text bodies in memory that are larger than the threshold are compressed. A request without
/// Accept-Encoding costs one lookup of the field.
final class ResponseCompression: Sendable {
    /// Larger bodies take too long, even on another thread: at 120 MB/s 1 MiB takes 9 ms.
    private static let limit = 1024 * 1024

    private let threshold: Int?
    /// The compressor, reused from the first response on; nil while it is in use.
    ///
    /// It is taken out of the lock while it is used, so no thread waits for it. A concurrent
    /// response makes its own.
    private let kept = Locked<Kept?>(nil)

    /// `@unchecked Sendable`: only one user has it at a time.
    private struct Kept: @unchecked Sendable {
        let deflater: GzipDeflater
    }

    /// Compresses nothing.
    static let none = ResponseCompression(threshold: nil)

    /// Compresses bodies of more bytes than `threshold`; none if it is nil.
    init(threshold: Int?) { self.threshold = threshold }

    /// Returns the one of the two with the lower threshold.
    static func sooner(
        _ one: ResponseCompression,
        _ other: ResponseCompression
    ) -> ResponseCompression {
        one.threshold ?? .max <= other.threshold ?? .max ? one : other
    }

    /// Returns the reply, compressed if the client accepts gzip.
    func code(_ reply: Reply, for head: RequestHead) -> Reply {
        guard let threshold else { return reply }
        let prefersGzip = AcceptEncoding.prefersGzip(head)
        // Only GET and HEAD responses need Vary: caches don't store the others by default.
        guard prefersGzip || head.method == .get || head.method == .head else { return reply }
        return reply.mapBytes { [self] in code($0, threshold, prefersGzip) }
    }

    /// Returns the response, compressed if the client accepts gzip.
    func code(_ response: Response, prefersGzip: Bool) -> Response {
        guard let threshold else { return response }
        return code(response, threshold, prefersGzip)
    }

    private func code(_ response: Response, _ threshold: Int, _ prefersGzip: Bool) -> Response {
        guard case .bytes(let bytes) = response.body, bytes.count > threshold,
            bytes.count <= Self.limit, let varies = Self.varies(response)
        else { return response }
        var response = response
        if !varies { response.fields += Self.vary }
        guard prefersGzip, let member = compress(bytes) else { return response }
        response.fields += Self.gzip
        response.body = .bytes(member)
        return response
    }

    private func compress(_ bytes: [UInt8]) -> [UInt8]? {
        let timings = ServiceContext.current?.timings
        timings?.begin()
        defer { timings?.lap("gzip") }
        let taken = kept.withLock { kept in
            defer { kept = nil }
            return kept
        }
        let used = taken ?? Kept(deflater: GzipDeflater(.once))
        defer { kept.withLock { $0 = used } }
        return bytes.withUnsafeBufferPointer { used.deflater.compress($0) }
    }

    /// Whether a response already has `Vary: Accept-Encoding`; nil if it mustn't be compressed.
    ///
    /// A compressible response is complete text, without a coding and without an entity tag. One
    /// tag would otherwise name two different bodies.
    private static func varies(_ response: Response) -> Bool? {
        guard StatusCode.allowsBody(response.status), response.status != 206 else { return nil }
        var isText = false
        var isFixed = false
        var varies = false
        response.fields.forEach { name, value in
            if name.equals(lowercase: "content-type") {
                isText = MediaType(value).isCompressible
            } else if name.equals(lowercase: "content-encoding")
                || name.equals(lowercase: "content-range") || name.equals(lowercase: "etag")
            {
                isFixed = true
            } else if name.equals(lowercase: "vary"), value.equals("Accept-Encoding") {
                varies = true
            }
        }
        return isText && !isFixed ? varies : nil
    }

    /// Whether the server compressed the response.
    static func isCoded(_ response: Response) -> Bool {
        response.fields.contains("content-encoding") { $0.equals("gzip") }
    }

    private static let vary = ResponseFields([ContentCoding.vary])
    private static let gzip = ResponseFields([ContentCoding.gzip])
}
