import Locking
import PlugHTTP

/// Lets one do at a time what takes more memory than many may have; the others are told to come back.
final class OneAtATime: Sendable {
    private let isTaken = Locked(false)

    /// Does the work, unless somebody else's isn't done.
    ///
    /// - Throws: a 409 with `refusal`, and what the work throws.
    func perform<Value: Sendable>(
        _ work: @Sendable () async throws -> Value,
        refusal: String
    ) async throws -> Value {
        let isMine = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        guard isMine else { throw Problem.conflict(refusal) }
        defer { isTaken.withLock { $0 = false } }
        return try await work()
    }
}
