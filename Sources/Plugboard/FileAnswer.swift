import Glibc
import HTTPCodec
import HTTPServer

/// Answers a GET or HEAD of a file: whole, in part, or not at all if the client has it.
enum FileAnswer {
    /// The most that is put together in memory for a request of several ranges.
    private static let multipartLimit = 1024 * 1024

    static func answer(_ head: RequestHead, _ file: PublicFolder.File, now: Int) -> Response {
        let validators = file.validators
        let common: [(name: String, value: String)] = [
            ("ETag", String(decoding: validators.etag, as: UTF8.self)),
            ("Last-Modified", HTTPDate.string(validators.lastModified)),
            ("Cache-Control", "no-cache"),
        ]
        switch Preconditions.evaluate(head, validators, now: now) {
        case .notModified:
            return Response(status: 304, fields: Response.fieldLines(common), body: .none)
        case .failed: return ProblemAnswer.make(412, "the file is not in the state asked for")
        case .proceed: break
        }
        let described =
            common + [("Accept-Ranges", "bytes"), ("X-Content-Type-Options", "nosniff")]
        let type: (name: String, value: String) = ("Content-Type", file.mediaType)
        switch ranges(head, file, now: now) {
        case .whole:
            let body = FileBody(descriptor: file.descriptor, range: 0..<file.size)
            return Response(
                status: 200,
                fields: Response.fieldLines(described + [type]),
                body: .file(body)
            )
        case .unsatisfiable:
            return ProblemAnswer.make(
                416,
                "the file has \(file.size) bytes",
                fields: [("Content-Range", "bytes */\(file.size)")]
            )
        case .ranges(let ranges) where ranges.count == 1:
            let range = ranges[0]
            let fields = described + [type, ("Content-Range", contentRange(range, file.size))]
            return Response(
                status: 206,
                fields: Response.fieldLines(fields),
                body: .file(FileBody(descriptor: file.descriptor, range: range))
            )
        case .ranges(let ranges): return multipart(ranges, file, described)
        }
    }

    /// Ranges count for GET alone, and only while `If-Range` agrees (RFC 9110 §14.2, §13.1.5).
    private static func ranges(
        _ head: RequestHead,
        _ file: PublicFolder.File,
        now: Int
    ) -> ByteRanges.Verdict {
        guard head.method == .get, let value = head.field("range"), head.count(of: "range") == 1,
            Preconditions.rangeCounts(head, file.validators, now: now)
        else { return .whole }
        return ByteRanges.parse(value, size: file.size)
    }

    private static func contentRange(_ range: Range<Int>, _ size: Int) -> String {
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
    }

    /// `multipart/byteranges` (RFC 9110 §14.6); the whole, if the parts would be large.
    private static func multipart(
        _ ranges: [Range<Int>],
        _ file: PublicFolder.File,
        _ described: [(name: String, value: String)]
    ) -> Response {
        let total = ranges.reduce(0) { $0 + $1.count }
        let boundary = "plugboard-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        var bytes: [UInt8] = []
        guard total <= multipartLimit else {
            let body = FileBody(descriptor: file.descriptor, range: 0..<file.size)
            let fields = described + [("Content-Type", file.mediaType)]
            return Response(status: 200, fields: Response.fieldLines(fields), body: .file(body))
        }
        for range in ranges {
            bytes += "--\(boundary)\r\nContent-Type: \(file.mediaType)\r\n".utf8
            bytes += "Content-Range: \(contentRange(range, file.size))\r\n\r\n".utf8
            guard let part = read(file.descriptor, range) else {
                return ProblemAnswer.make(500, nil)
            }
            bytes += part
            bytes += "\r\n".utf8
        }
        bytes += "--\(boundary)--\r\n".utf8
        let type = ("Content-Type", "multipart/byteranges; boundary=\(boundary)")
        return Response(
            status: 206,
            fields: Response.fieldLines(described + [type]),
            body: .bytes(bytes)
        )
    }

    private static func read(_ descriptor: FileDescriptor, _ range: Range<Int>) -> [UInt8]? {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            while count < range.count, let start = buffer.baseAddress {
                let offset = off_t(range.lowerBound + count)
                let read = pread(descriptor.raw, start + count, range.count - count, offset)
                guard read > 0 else {
                    failed = true
                    return
                }
                count += read
            }
        }
        return failed ? nil : bytes
    }
}
