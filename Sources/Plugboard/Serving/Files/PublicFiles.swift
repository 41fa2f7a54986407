import System
import HTTPSyntax
import HTTPServer

/// The files of a public folder, plain or gzip-coded as the client accepts.
///
/// Text files of at most 1 MiB are compressed at their first request, and cached. A `.gz` file
/// beside a file takes precedence, at any size.
///
/// A range request gets ranges of the plain file: a range of the gzip form needs the form's other
/// bytes. Its preconditions may match either tag. Without ranges it would get the gzip form (RFC
/// 9110 §14.2); a client with a range of the plain file continues with that one's tag in
/// `If-Match`.
final class PublicFiles: Sendable {
    let folder: PublicFolder
    private let cache = GzipCache()

    init(_ folder: PublicFolder) { self.folder = folder }

    /// Follows the folder's path, until the task is cancelled.
    func watch() async { await folder.watch() }

    /// Responds to a GET or HEAD of a file.
    func answer(_ head: RequestHead, _ found: PublicFolder.File, now: Int) -> Reply {
        let file = found.asOf(now)
        guard file.isCompressible, AcceptEncoding.prefersGzip(head)
        else { return .now(FileResponse.answer(head, file, now: now)) }
        if let beside = folder.gzip(of: file) {
            let etag = Self.tag(of: beside.stamp)
            let verdict = Self.verdict(head, file, etag, now)
            if let part = Self.part(head, file, verdict, now) { return .now(part) }
            let body = FileBody(descriptor: beside.descriptor, range: 0..<beside.size)
            return .now(Self.coded(file, etag, verdict, .file(body)))
        }
        let form = cache.find(file.stamp)
        guard form != .none else { return .now(FileResponse.answer(head, file, now: now)) }
        let etag = Self.tag(of: file.stamp)
        let verdict = Self.verdict(head, file, etag, now)
        let part = Self.part(head, file, verdict, now)
        if case .form(let bytes) = form {
            if let part { return .now(part) }
            return .now(Self.coded(file, etag, verdict, .bytes(bytes)))
        }
        // The form isn't known yet, and the head is invalid later: both results are prepared.
        let plain = Preconditions.evaluate(head, file.validators, now: now)
        if let part, plain == .proceed { return .now(part) }
        return .later { [self] in
            guard let bytes = await cache.make(file.descriptor, file.stamp) else {
                return FileResponse.whole(file, plain)
            }
            if let part { return part }
            return Self.coded(file, etag, verdict, .bytes(bytes))
        }
    }

    /// Returns the ranges of the plain file, given the verdict on the gzip form.
    private static func part(
        _ head: RequestHead,
        _ file: PublicFolder.File,
        _ verdict: Preconditions.Verdict,
        _ now: Int
    ) -> Response? {
        switch verdict {
        case .notModified: return nil
        case .failed where Preconditions.evaluate(head, file.validators, now: now) != .proceed:
            return nil
        case .failed, .proceed: return FileResponse.part(head, file, now: now)
        }
    }

    /// Returns the tag of a gzip form, derived from its source file's stamp.
    private static func tag(of stamp: FileStamp) -> [UInt8] {
        Array(ContentCoding.gzipTag(of: String(decoding: stamp.etag, as: UTF8.self)).utf8)
    }

    private static func verdict(
        _ head: RequestHead,
        _ file: PublicFolder.File,
        _ etag: [UInt8],
        _ now: Int
    ) -> Preconditions.Verdict {
        let validators = Validators(etag: etag, lastModified: file.validators.lastModified)
        return Preconditions.evaluate(head, validators, now: now)
    }

    private static func coded(
        _ file: PublicFolder.File,
        _ etag: [UInt8],
        _ verdict: Preconditions.Verdict,
        _ body: Response.Body
    ) -> Response {
        FileResponse.answer(verdict, FileResponse.common(file, etag: etag), body) {
            [
                FileResponse.changed(file), ContentCoding.gzip, ("Content-Type", file.mediaType),
            ]
        }
    }
}
