import Gzip
import HTTPSyntax
import HTTPServer
import Locking
import PlugHTTP

/// Decodes request bodies: gzip, up to the size limit of a plain body (RFC 9110 §8.4).
enum BodyDecoding {
    /// The response to an unsupported content coding (RFC 9110 §12.5.3, §15.5.16).
    static var refusal: Response {
        ProblemResponse.make(
            415,
            "the body must be uncoded or gzip-coded once",
            fields: [("Accept-Encoding", "gzip")]
        )
    }

    /// Inflates a body and passes it to `reply`.
    ///
    /// The inflated bytes are freed when the call returns, so a loop has one inflated body at a
    /// time.
    static func inflate(
        _ body: ByteSpan,
        upTo limit: Int,
        _ reply: (ByteSpan) throws -> Reply
    ) throws -> Reply {
        var output = OutputBuffer(capacity: min(4 * body.count, 64 * 1024))
        try Gzip.inflate(body, upTo: limit, into: &output)
        return try reply(output.bytes)
    }

    /// Inflates a streamed body, in chunks of limited size.
    static func inflate(_ body: RequestBody, upTo limit: Int) -> RequestBody {
        let inflation = Locked<Inflation?>(nil)
        return RequestBody {
            var pieces = body.makeAsyncIterator()
            while true {
                if let piece = try inflation.withLock({ try $0?.next() }) { return piece }
                let piece = try await pieces.next()
                // An empty body has no coding.
                if piece == nil, inflation.withLock({ $0 == nil }) { return nil }
                try inflation.withLock { inflation in
                    if inflation == nil { inflation = try Inflation(limit: limit) }
                    if let piece { inflation?.take(piece) } else { try inflation?.finish() }
                }
                if piece == nil { return nil }
            }
        }
    }
}

/// The state of inflating a streamed body.
private struct Inflation {
    private static let chunk = 64 * 1024

    private let inflater: GzipInflater
    private let limit: Int
    private var input: [UInt8] = []
    private var used = 0
    private var total = 0

    init(limit: Int) throws {
        inflater = try GzipInflater()
        self.limit = limit
    }

    mutating func take(_ piece: [UInt8]) { (input, used) = (piece, 0) }

    func finish() throws(GzipError) { try inflater.finish() }

    /// Returns the next inflated chunk; nil if more input is needed.
    mutating func next() throws -> [UInt8]? {
        let room = min(Self.chunk, max(1024, 4 * (input.count - used)))
        let (inflater, input, used) = (inflater, input, used)
        var taken = 0
        let piece = try [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            let output = UnsafeMutableBufferPointer(start: buffer.baseAddress, count: room)
            (taken, count) = try input.withUnsafeBufferPointer { input in
                try inflater.inflate(input.slice(used, input.count), into: output)
            }
        }
        self.used += taken
        total += piece.count
        guard total <= limit else { throw GzipError.tooLarge }
        return piece.isEmpty ? nil : piece
    }
}

/// The client's error message for a body that can't be inflated.
extension GzipError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .notGzip: .badRequest("the body isn't gzip, as its Content-Encoding says")
        case .corrupt: .badRequest("the body's gzip data is broken")
        case .mismatch: .badRequest("the body's gzip checksum is wrong")
        case .truncated: .badRequest("the body ends before its gzip data does")
        case .trailing: .badRequest("the body goes on after its gzip data")
        case .tooLarge: .contentTooLarge("the inflated body is larger than this resource accepts")
        case .noMemory: .serviceUnavailable()
        }
    }
}
