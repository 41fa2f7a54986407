import HTTPSyntax
import Locking

/// A request's body on its way from the loop that reads it to the task that consumes it.
///
/// It buffers one window of the body. When the window is full, the loop stops reading and TCP slows
/// the client down.
package final class BodyStream: Sendable {
    /// The buffered bytes at which the loop stops reading; it resumes at half as many.
    static let window = 64 * 1024

    private let untaken: UnreadBytes

    fileprivate struct State {
        var pieces: [[UInt8]] = []
        var first = 0
        var buffered = 0
        var isFull = false
        var end: Result<Void, any Error>?
        var waiting: CheckedContinuation<[UInt8]?, any Error>?
    }

    private let state = Locked(State())
    private let drained: @Sendable () -> Void

    /// Creates an empty stream.
    ///
    /// `drained` is called on the consumer's thread when there is room again.
    init(_ untaken: UnreadBytes, drained: @escaping @Sendable () -> Void) {
        self.untaken = untaken
        self.drained = drained
    }

    deinit { untaken.add(-state.withLock { $0.buffered }) }

    /// Returns the next piece of the body; nil at its end.
    ///
    /// - Throws: The error that ended the body early, including `CancellationError`.
    package func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in take(continuation) }
        } onCancel: {
            fail(CancellationError())
        }
    }

    private func take(_ continuation: CheckedContinuation<[UInt8]?, any Error>) {
        var hasRoom = false
        let result: Result<[UInt8]?, any Error>? = state.withLock { state in
            if state.first < state.pieces.count {
                let piece = state.takeFirst()
                untaken.add(-piece.count)
                hasRoom = state.isFull && state.buffered <= Self.window / 2
                if hasRoom { state.isFull = false }
                return .success(piece)
            }
            if let end = state.end { return end.map { nil } }
            // A second reader must not replace the first, nor mistake a truncated body for a
            // complete one.
            guard state.waiting == nil else { return .failure(SecondReader()) }
            state.waiting = continuation
            return nil
        }
        if hasRoom { drained() }
        if let result { continuation.resume(with: result) }
    }

    /// Adds a piece; returns false if the loop should stop reading for now.
    func yield(_ bytes: ByteSpan) -> Bool {
        guard !bytes.isEmpty else { return true }
        var isFull = false
        let waiting = state.withLock { state -> CheckedContinuation<[UInt8]?, any Error>? in
            guard state.end == nil else { return nil }
            if let waiting = state.waiting {
                state.waiting = nil
                return waiting
            }
            state.append(bytes)
            untaken.add(bytes.count)
            state.isFull = state.buffered >= Self.window || untaken.areMany
            isFull = state.isFull
            return nil
        }
        waiting?.resume(returning: Array(bytes))
        return !isFull
    }

    /// Marks the body as complete.
    func finish() { end(.success(())) }

    /// Ends the body early with an error.
    func fail(_ error: any Error) { end(.failure(error)) }

    private func end(_ result: Result<Void, any Error>) {
        let waiting = state.withLock { state -> CheckedContinuation<[UInt8]?, any Error>? in
            guard state.end == nil else { return nil }
            state.end = result
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(with: result.map { nil })
    }
}

/// Two tasks called `next()` at the same time.
private struct SecondReader: Error, CustomStringConvertible {
    let description = "a request's body has one reader"
}

extension BodyStream.State {
    /// Appends bytes; small pieces are joined, since a client may send chunks of one byte.
    fileprivate mutating func append(_ bytes: ByteSpan) {
        buffered += bytes.count
        if pieces.count > first, pieces[pieces.count - 1].count < 4096 {
            pieces[pieces.count - 1] += bytes
        } else {
            pieces.append(Array(bytes))
        }
    }

    fileprivate mutating func takeFirst() -> [UInt8] {
        var piece: [UInt8] = []
        swap(&piece, &pieces[first])
        first += 1
        buffered -= piece.count
        // Consumed pieces are empty. Their slots are removed in bulk.
        if first * 2 >= pieces.count {
            pieces.removeFirst(first)
            first = 0
        }
        return piece
    }
}
