import Gzip
import HTTPSyntax
import HTTPServer
import Locking
import Tracing

/// Compresses answers as they go, for clients that take gzip.
///
/// Only what is at hand as bytes, is text, and has more of them than the threshold. A request
/// without an Accept-Encoding costs a look for it.
final class AnswerCoding: Sendable {
    /// More takes too long, also beside the loop: at 120 MB/s a MiB takes 9 ms.
    private static let limit = 1024 * 1024

    private let threshold: Int?
    /// Kept from the first answer on; nil while it is in use.
    ///
    /// Taken out to be used, so that nobody waits: who comes meanwhile makes one of their own.
    private let kept = Locked<Kept?>(nil)

    /// `@unchecked Sendable`: who takes it out has it alone.
    private struct Kept: @unchecked Sendable {
        let deflater: GzipDeflater
    }

    /// Codes nothing.
    static let none = AnswerCoding(threshold: nil)

    /// Codes bodies of more bytes than `threshold`; none if it is nil.
    init(threshold: Int?) { self.threshold = threshold }

    /// The one of both that codes smaller bodies.
    static func sooner(_ one: AnswerCoding, _ other: AnswerCoding) -> AnswerCoding {
        one.threshold ?? .max <= other.threshold ?? .max ? one : other
    }

    /// The reply, coded if its request's client takes that.
    func code(_ reply: Reply, for head: RequestHead) -> Reply {
        guard let threshold else { return reply }
        let takesGzip = AcceptEncoding.takesGzip(head)
        // Only what is read may be stored by a cache that doesn't know better, and has to be told
        // that there are two of it.
        guard takesGzip || head.method == .get || head.method == .head else { return reply }
        return reply.mapBytes { [self] in code($0, threshold, takesGzip) }
    }

    /// The response, coded if its request's client takes that.
    func code(_ response: Response, takesGzip: Bool) -> Response {
        guard let threshold else { return response }
        return code(response, threshold, takesGzip)
    }

    private func code(_ response: Response, _ threshold: Int, _ takesGzip: Bool) -> Response {
        guard case .bytes(let bytes) = response.body, bytes.count > threshold,
            bytes.count <= Self.limit, let varies = Self.varies(response)
        else { return response }
        var response = response
        if !varies { response.fields += Self.vary }
        guard takesGzip, let member = compress(bytes) else { return response }
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

    /// Whether a response says already that it is negotiated; nil where it mayn't be: it has to be a
    /// whole body of text that is neither coded already nor named by a tag, which would then name two
    /// runs of bytes.
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

    /// Whether a response was coded here.
    static func isCoded(_ response: Response) -> Bool {
        response.fields.contains("content-encoding") { $0.equals("gzip") }
    }

    private static let vary = ResponseFields([ContentCoding.vary])
    private static let gzip = ResponseFields([ContentCoding.gzip])
}
