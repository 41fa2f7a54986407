import HTTPServer
import HTTPSyntax

/// Stores the responses for keys for a day, within limits.
///
/// A run of a server reserves a key for some seconds and renews its reservations while it lives. An
/// expired reservation stays closed to others: a request that has begun isn't repeated.
protocol IdempotencyRecords: Sendable {
    /// Returns a key's standing, and reserves a free key for a run if the limits allow it.
    ///
    /// Unexpired records are never dropped to make room.
    func begin(_ claim: IdempotencyClaim, for run: String) async throws -> IdempotencyKeyState

    /// Stores the response for a key that a run has reserved.
    ///
    /// It stores only the status if the response exceeds the limit on bytes.
    func finish(_ key: IdempotencyKey, _ answer: StoredResponse, for run: String) async throws

    /// Frees a key that a run has reserved, because its request had no effect.
    func forget(_ key: IdempotencyKey, for run: String) async throws

    /// Renews all reservations of a run.
    func renew(_ run: String) async throws
}

extension IdempotencyRecords {
    /// The seconds for which a response is stored.
    static var age: Int { 86_400 }
    /// The seconds after which a reservation expires without renewal.
    static var lease: Int { 20 }
}

/// The state of a key.
enum IdempotencyKeyState: Sendable {
    /// The key was free and is now reserved for the caller.
    case reserved
    /// The key belongs to a different request.
    case mismatch
    /// Another server works on the request.
    case held
    /// A server ended during the request, whose outcome is unknown.
    case lost
    /// The request is done, but its response wasn't stored.
    case unkept
    case answered(Response)
    /// The key is free, but the limit is reached for at least this time.
    case full(Room, seconds: Int)

    /// The limit that is reached.
    enum Room: Sendable {
        /// The limit of the caller or of the address.
        case own
        /// The limit of all unknown callers.
        case all
    }
}

/// The stored form of a response.
struct StoredResponse: Sendable {
    let status: Int
    /// The lines of the fields.
    var fields: [UInt8]?
    var body: [UInt8]?
    /// Whether the response can be sent again.
    var isKept: Bool

    /// The limit on a stored response, in bytes.
    static let greatest = 64 * 1024

    /// Creates the record of a response; of a secret it stores only the status.
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

    /// The bytes of the fields and the body.
    var byteCount: Int { (fields?.count ?? 0) + (body?.count ?? 0) }

    /// Keeps only the status.
    mutating func removeContent() { (fields, body, isKept) = (nil, nil, false) }

    var response: Response {
        Response(
            status: UInt16(clamping: status),
            fields: ResponseFields(lines: fields ?? []),
            body: body.map { .bytes($0) } ?? .none
        )
    }
}

/// The record of a key.
struct KeyRecord: Sendable {
    let fingerprint: [UInt8]
    let run: String
    /// Whether the reservation is unexpired.
    let isAlive: Bool
    /// The response; nil while the request is in progress.
    let answer: StoredResponse?

    /// Returns the key's standing for a claim by a run.
    func standing(for claim: IdempotencyClaim, _ run: String) -> IdempotencyKeyState {
        guard fingerprint == claim.fingerprint else { return .mismatch }
        if let answer { return answer.isKept ? .answered(answer.response) : .unkept }
        // A run knows its requests in progress. It doesn't know this one, because the response to
        // its reservation was lost.
        if self.run == run { return .reserved }
        return isAlive ? .held : .lost
    }
}
