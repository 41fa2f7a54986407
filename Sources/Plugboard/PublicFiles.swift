import System
import HTTPSyntax
import HTTPServer

/// The files of a public folder, each as it is or gzip-coded, as the client takes it.
///
/// What is text, of a MiB at most, is compressed when it is first asked for, and kept; a `.gz` beside
/// a file goes before that, and has no bound. A request of ranges gets those of the file as it is,
/// whatever else it takes: a range of a coded body is of use to nobody who hasn't its other bytes. Its
/// preconditions are those of the form that it would get without (RFC 9110 §14.2), or of that which its
/// ranges are of: who has a part goes on with its tag in `If-Match`.
final class PublicFiles: Sendable {
    let folder: PublicFolder
    private let cache = GzipCache()

    init(_ folder: PublicFolder) { self.folder = folder }

    /// Follows the folder's name, until the task is cancelled.
    func watch() async { await folder.watch() }

    /// Answers a GET or HEAD of a file.
    func answer(_ head: RequestHead, _ found: PublicFolder.File, now: Int) -> Reply {
        let file = found.asOf(now)
        guard file.isCompressible, AcceptEncoding.takesGzip(head)
        else { return .now(FileAnswer.answer(head, file, now: now)) }
        if let beside = folder.gzip(of: file) {
            let etag = Self.tag(of: beside.stamp)
            let verdict = Self.verdict(head, file, etag, now)
            if let part = Self.part(head, file, verdict, now) { return .now(part) }
            let body = FileBody(descriptor: beside.descriptor, range: 0..<beside.size)
            return .now(Self.coded(file, etag, verdict, .file(body)))
        }
        let form = cache.find(file.stamp)
        guard form != .none else { return .now(FileAnswer.answer(head, file, now: now)) }
        let etag = Self.tag(of: file.stamp)
        let verdict = Self.verdict(head, file, etag, now)
        let part = Self.part(head, file, verdict, now)
        if case .form(let bytes) = form {
            if let part { return .now(part) }
            return .now(Self.coded(file, etag, verdict, .bytes(bytes)))
        }
        // Which of both it will be isn't known yet, and the head is gone by then.
        let plain = Preconditions.evaluate(head, file.validators, now: now)
        if let part, plain == .proceed { return .now(part) }
        return .later { [self] in
            guard let bytes = await cache.make(file.descriptor, file.stamp) else {
                return FileAnswer.whole(file, plain)
            }
            if let part { return part }
            return Self.coded(file, etag, verdict, .bytes(bytes))
        }
    }

    /// What is sent of the file as it is, given the verdict on the coded form.
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
        case .failed, .proceed: return FileAnswer.part(head, file, now: now)
        }
    }

    /// The tag of a gzip-coded form, made of the stamp of what the form is made of.
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
        FileAnswer.answer(verdict, FileAnswer.common(file, etag: etag), body) {
            [
                FileAnswer.changed(file), ContentCoding.gzip, ("Content-Type", file.mediaType),
            ]
        }
    }
}
