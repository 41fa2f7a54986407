import Gzip
import HTTPSyntax
import HTTPServer
import Locking
import PlugHTTP

/// Undoes the coding of requests' bodies (RFC 9110 §8.4): gzip, within the bound of a plain body.
enum BodyDecoding {
    /// What a request is told whose body is coded otherwise (RFC 9110 §12.5.3, §15.5.16).
    static var refusal: Response {
        ProblemAnswer.make(
            415,
            "the body has to be as it is, or gzip-coded once",
            fields: [("Accept-Encoding", "gzip")]
        )
    }

    /// Has a reply made of a body once it is inflated.
    ///
    /// The bytes are gone when the call returns, so a loop holds one inflated body at a time.
    static func inflate(
        _ body: ByteSpan,
        upTo limit: Int,
        _ reply: (ByteSpan) throws -> Reply
    ) throws -> Reply {
        var output = OutputBuffer(capacity: min(4 * body.count, 64 * 1024))
        try Gzip.inflate(body, upTo: limit, into: &output)
        return try reply(output.bytes)
    }

    /// Inflates a body while it is read, in pieces that are bounded, too.
    static func inflate(_ body: RequestBody, upTo limit: Int) -> RequestBody {
        let inflation = Locked<Inflation?>(nil)
        return RequestBody {
            var pieces = body.makeAsyncIterator()
            while true {
                if let piece = try inflation.withLock({ try $0?.next() }) { return piece }
                let piece = try await pieces.next()
                // A body without a byte has no coding to undo.
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

/// A body that is being inflated: what came of it, and how much was made.
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

    /// The next piece of what is made of the input; nil if there must be more of that.
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

/// What the client is told of a body that can't be inflated.
extension GzipError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .notGzip: .badRequest("the body isn't gzip, as its Content-Encoding says")
        case .corrupt: .badRequest("the body's gzip data is broken")
        case .mismatch: .badRequest("the body's gzip checksum is another")
        case .truncated: .badRequest("the body ends before its gzip data does")
        case .trailing: .badRequest("the body goes on after its gzip data")
        case .tooLarge: .contentTooLarge("the inflated body is larger than this resource takes")
        case .noMemory: .serviceUnavailable()
        }
    }
}
