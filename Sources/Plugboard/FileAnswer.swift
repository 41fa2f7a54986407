import System
import HTTPSyntax
import HTTPServer

/// Answers a GET or HEAD of a file: whole, in part, or not at all if the client has it.
enum FileAnswer {
    /// The most that is put together in memory for a request of several ranges.
    private static let multipartLimit = 1024 * 1024

    static func answer(_ head: RequestHead, _ file: PublicFolder.File, now: Int) -> Response {
        let file = file.asOf(now)
        let verdict = Preconditions.evaluate(head, file.validators, now: now)
        guard verdict == .proceed, let part = part(head, file, now: now) else {
            return whole(file, verdict)
        }
        return part
    }

    /// What is sent in place of the whole to a request whose preconditions are met, if it asks for ranges;
    /// nil where the whole is sent (RFC 9110 §14.2).
    static func part(_ head: RequestHead, _ file: PublicFolder.File, now: Int) -> Response? {
        let isResumed = head.field("if-range") != nil
        switch ranges(head, file, now: now) {
        case .whole: return nil
        case .unsatisfiable:
            return ProblemAnswer.make(
                416,
                "the file has \(file.size) bytes",
                fields: [("Content-Range", "bytes */\(file.size)")]
            )
        case .ranges(let ranges) where ranges.count == 1:
            let fields =
                described(file, isResumed: isResumed) + [
                    ("Content-Type", file.mediaType),
                    ("Content-Range", contentRange(ranges[0], file.size)),
                ]
            return Response(
                status: 206,
                fields: ResponseFields(fields),
                body: .file(FileBody(descriptor: file.descriptor, range: ranges[0]))
            )
        case .ranges(let ranges): return multipart(ranges, file, isResumed: isResumed)
        }
    }

    /// The file as it is, or what its preconditions make of it.
    static func whole(_ file: PublicFolder.File, _ verdict: Preconditions.Verdict) -> Response {
        let whole = FileBody(descriptor: file.descriptor, range: 0..<file.size)
        return answer(verdict, common(file), .file(whole)) {
            [
                changed(file), ("Accept-Ranges", "bytes"), ("Content-Type", file.mediaType),
            ]
        }
    }

    /// A whole representation, by the verdict on its preconditions.
    static func answer(
        _ verdict: Preconditions.Verdict,
        _ common: [(name: String, value: String)],
        _ body: Response.Body,
        _ described: () -> [(name: String, value: String)]
    ) -> Response {
        switch verdict {
        case .notModified:
            return Response(status: 304, fields: ResponseFields(common), body: .none)
        case .failed: return ProblemAnswer.make(412, "the file is not in the state asked for")
        case .proceed:
            let fields = common + described() + [("X-Content-Type-Options", "nosniff")]
            return Response(status: 200, fields: ResponseFields(fields), body: body)
        }
    }

    /// What every answer says of the file, a 304 included, which has no date beside its tag (RFC 9110
    /// §15.4.5).
    static func common(
        _ file: PublicFolder.File,
        etag: [UInt8]? = nil
    ) -> [(name: String, value: String)] {
        let fields: [(name: String, value: String)] = [
            ("ETag", String(decoding: etag ?? file.validators.etag, as: UTF8.self)),
            ("Cache-Control", CachePolicy.of(file.name)),
        ]
        return file.isCompressible ? fields + [ContentCoding.vary] : fields
    }

    static func changed(_ file: PublicFolder.File) -> (name: String, value: String) {
        ("Last-Modified", HTTPDate.string(file.validators.lastModified))
    }

    /// What a part is said to be of: no date to who has another part (RFC 9110 §15.3.7).
    private static func described(
        _ file: PublicFolder.File,
        isResumed: Bool
    ) -> [(name: String, value: String)] {
        common(file) + (isResumed ? [] : [changed(file)]) + [
            ("Accept-Ranges", "bytes"), ("X-Content-Type-Options", "nosniff"),
        ]
    }

    /// Whether ranges of the file may be asked for: else `Range` is as good as not there (RFC 9110
    /// §14.2).
    private static func mayBeRange(_ head: RequestHead) -> Bool {
        head.method == .get && head.count(of: "range") == 1
            && head.field("range").map(ByteRanges.areBytes) == true
    }

    /// Ranges count for GET alone, and only while `If-Range` agrees (RFC 9110 §14.2, §13.1.5).
    private static func ranges(
        _ head: RequestHead,
        _ file: PublicFolder.File,
        now: Int
    ) -> ByteRanges.Verdict {
        guard mayBeRange(head), let value = head.field("range"),
            Preconditions.rangeCounts(head, file.validators, now: now)
        else { return .whole }
        return ByteRanges.parse(value, size: file.size)
    }

    private static func contentRange(_ range: Range<Int>, _ size: Int) -> String {
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
    }

    /// `multipart/byteranges` (RFC 9110 §14.6); nil, if the parts would be large.
    private static func multipart(
        _ ranges: [Range<Int>],
        _ file: PublicFolder.File,
        isResumed: Bool
    ) -> Response? {
        let total = ranges.reduce(0) { $0 + $1.count }
        guard total <= multipartLimit else { return nil }
        let boundary = "plugboard-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        var bytes: [UInt8] = []
        for range in ranges {
            bytes += "--\(boundary)\r\nContent-Type: \(file.mediaType)\r\n".utf8
            bytes += "Content-Range: \(contentRange(range, file.size))\r\n\r\n".utf8
            guard let part = file.descriptor.read(range) else {
                return ProblemAnswer.make(500, nil)
            }
            bytes += part
            bytes += "\r\n".utf8
        }
        bytes += "--\(boundary)--\r\n".utf8
        let type = ("Content-Type", "multipart/byteranges; boundary=\(boundary)")
        return Response(
            status: 206,
            fields: ResponseFields(described(file, isResumed: isResumed) + [type]),
            body: .bytes(bytes)
        )
    }
}
