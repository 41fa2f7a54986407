import System
import HTTPSyntax
import HTTPServer

/// Responds to a GET or HEAD of a file: with all of it, ranges of it, or 304.
enum FileResponse {
    /// The size limit of a multipart response, which is built in memory.
    private static let multipartLimit = 1024 * 1024

    static func answer(_ head: RequestHead, _ file: PublicFolder.File, now: Int) -> Response {
        let file = file.asOf(now)
        let verdict = Preconditions.evaluate(head, file.validators, now: now)
        guard verdict == .proceed, let part = part(head, file, now: now) else {
            return whole(file, verdict)
        }
        return part
    }

    /// Returns the response to a range request whose preconditions are met; nil if the whole file
    /// is sent (RFC 9110 §14.2).
    static func part(_ head: RequestHead, _ file: PublicFolder.File, now: Int) -> Response? {
        let isResumed = head.field("if-range") != nil
        switch ranges(head, file, now: now) {
        case .whole: return nil
        case .unsatisfiable:
            return ProblemResponse.make(
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

    /// Returns the whole file, or the response to its failed preconditions.
    static func whole(_ file: PublicFolder.File, _ verdict: Preconditions.Verdict) -> Response {
        let whole = FileBody(descriptor: file.descriptor, range: 0..<file.size)
        return answer(verdict, common(file), .file(whole)) {
            [
                changed(file), ("Accept-Ranges", "bytes"), ("Content-Type", file.mediaType),
            ]
        }
    }

    /// Returns a whole representation, by the verdict on its preconditions.
    static func answer(
        _ verdict: Preconditions.Verdict,
        _ common: [(name: String, value: String)],
        _ body: Response.Body,
        _ described: () -> [(name: String, value: String)]
    ) -> Response {
        switch verdict {
        case .notModified:
            return Response(status: 304, fields: ResponseFields(common), body: .none)
        case .failed: return ProblemResponse.make(412, "the file doesn't meet the preconditions")
        case .proceed:
            let fields = common + described()
            return Response(status: 200, fields: ResponseFields(fields), body: body)
        }
    }

    /// The fields of each response for the file, including 304.
    ///
    /// A 304 has an entity tag, so no date (RFC 9110 §15.4.5).
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

    /// The fields of a partial response; a client that resumes gets no date (RFC 9110 §15.3.7).
    private static func described(
        _ file: PublicFolder.File,
        isResumed: Bool
    ) -> [(name: String, value: String)] {
        common(file) + (isResumed ? [] : [changed(file)]) + [
            ("Accept-Ranges", "bytes")
        ]
    }

    /// Whether a valid `Range` applies; otherwise it is ignored (RFC 9110 §14.2).
    private static func mayBeRange(_ head: RequestHead) -> Bool {
        head.method == .get && head.count(of: "range") == 1
            && head.field("range").map(ByteRanges.areBytes) == true
    }

    /// Ranges apply to GET only, and only if `If-Range` matches (RFC 9110 §14.2, §13.1.5).
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

    /// A `multipart/byteranges` response (RFC 9110 §14.6); nil if the parts exceed the limit.
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
                return ProblemResponse.make(500, nil)
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
