import HTTPServer
import HTTPSyntax

/// What keeps the answers that were given for keys, for a day, within bounds.
///
/// A key is claimed by a run of a server, for some seconds: it renews its claims as long as it lives.
/// A claim whose time is over is nobody else's, though: what has begun isn't done again.
protocol IdempotencyRecords: Sendable {
    /// Checks, at a server's start, that the records are of this version.
    ///
    /// Blocks the calling thread.
    func check() throws
    /// Looks for a key, and reserves it for a run where nobody has, if there is room: no other gives
    /// way before its time is over.
    func begin(_ claim: IdempotencyClaim, for run: String) async throws -> IdempotencyStanding

    /// Keeps what came of a key that a run has reserved.
    func finish(_ key: IdempotencyKey, _ answer: KeptAnswer, for run: String) async throws

    /// Gives a key free that a run has reserved: what it was for was not done.
    func forget(_ key: IdempotencyKey, for run: String) async throws

    /// Says that a run lives, which has reserved keys.
    func renew(_ run: String) async throws
}

extension IdempotencyRecords {
    /// The data folder checks its file.
    func check() throws {}
    /// How long an answer is kept, in seconds.
    static var age: Int { 86_400 }
    /// How long a claim holds that isn't renewed, in seconds.
    static var lease: Int { 20 }
}

/// What is known of a key.
enum IdempotencyStanding: Sendable {
    /// Nothing: it was reserved for who asks.
    case reserved
    /// It came with another request.
    case mismatch
    /// Another server works on it.
    case held
    /// It was reserved by a server that has ended since: whether it was done nobody knows.
    case lost
    /// It was answered for, and the answer wasn't kept.
    case unkept
    case answered(Response)
    /// Nothing, and there is no room for another, for so many seconds at least.
    case full(Room, seconds: Int)

    /// Whose room it is that is used up.
    enum Room: Sendable {
        /// The caller's, or the address's.
        case own
        /// That of all whom nobody knows.
        case all
    }
}

/// What is kept of an answer.
struct KeptAnswer: Sendable {
    let status: Int
    /// The lines of its fields.
    var fields: [UInt8]?
    var body: [UInt8]?
    /// Whether it can be given again.
    var isKept: Bool

    /// The most bytes of an answer that is kept.
    static let greatest = 64 * 1024

    /// Of a secret nothing but that it was given.
    init(_ response: Response, isSecret: Bool) {
        status = Int(response.status)
        isKept = !isSecret
        switch response.body {
        case .none: break
        case .bytes(let bytes):
            isKept = isKept && bytes.count + response.fields.byteCount <= Self.greatest
            if isKept { body = bytes }
        case .file, .stream: isKept = false
        }
        if isKept { fields = response.fields.lines }
    }

    init(status: Int, fields: [UInt8]?, body: [UInt8]?, isKept: Bool) {
        self.status = status
        self.fields = fields
        self.body = body
        self.isKept = isKept
    }

    var response: Response {
        Response(
            status: UInt16(clamping: status),
            fields: ResponseFields(lines: fields ?? []),
            body: body.map { .bytes($0) } ?? .none
        )
    }
}

/// A record of a key.
struct KeyRecord: Sendable {
    let fingerprint: [UInt8]
    let run: String
    /// Whether its claim holds.
    let isAlive: Bool
    /// Nil while there is none.
    let answer: KeptAnswer?

    /// How things stand for who claims the key.
    func standing(for claim: IdempotencyClaim, _ run: String) -> IdempotencyStanding {
        guard fingerprint == claim.fingerprint else { return .mismatch }
        if let answer { return answer.isKept ? .answered(answer.response) : .unkept }
        // A run knows what it works on, and this it doesn't: it was never told that it may.
        if self.run == run { return .reserved }
        return isAlive ? .held : .lost
    }
}
