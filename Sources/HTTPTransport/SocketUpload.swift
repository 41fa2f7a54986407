#if canImport(Glibc) || canImport(Musl)
import Locking

/// A request's body on its way to the server, in chunks.
final class SocketUpload: Sendable {
    private struct State {
        var error: (any Error)?
        var isComplete = false
        var isWaitingForPiece = false
        var lastProgress = ContinuousClock.now
        var size = 0
    }

    private let state = Locked(State())
    private let pieces: BodyPieces
    private let connection: SocketConnection
    private let timeout: Duration

    init(_ pieces: BodyPieces, to connection: SocketConnection, timeout: Duration) {
        self.pieces = pieces
        self.connection = connection
        self.timeout = timeout
    }

    /// The error of the body's source, or of a server that stopped reading.
    var error: (any Error)? { state.withLock { $0.error } }

    /// Whether the whole body was sent.
    var isComplete: Bool { state.withLock { $0.isComplete } }

    /// The end of the wait for a response.
    ///
    /// A server may need longer to process a body that took long to send.
    var patience: ContinuousClock.Instant {
        state.withLock { state in
            let begin = state.isWaitingForPiece ? .now : state.lastProgress
            let more = state.isComplete ? Duration.seconds(state.size >> 20) : .zero
            return begin + timeout + more
        }
    }

    /// Sends the pieces, until the server has closed its side.
    func run() async {
        do {
            var iterator = pieces.makeAsyncIterator()
            while true {
                state.withLock { $0.isWaitingForPiece = true }
                let piece = try await iterator.next()
                // A cancelled source may end as if it were complete.
                try Task.checkCancellation()
                state.withLock { state in
                    state.isWaitingForPiece = false
                    state.lastProgress = .now
                    state.size += piece?.count ?? 0
                }
                // The response tells why the server stopped reading.
                guard try await write(RequestBytes.chunk(piece), isLast: piece == nil) else {
                    return
                }
                if piece == nil { return }
            }
        } catch {
            state.withLock { state in
                state.isWaitingForPiece = false
                if !(error is CancellationError) || !Task.isCancelled { state.error = error }
            }
            // Wakes the reader, which throws the error.
            connection.shutDown()
        }
    }

    /// Writes a chunk; returns false if the connection broke.
    private func write(_ bytes: [UInt8], isLast: Bool) async throws -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty || connection.hasUnsent {
            // Locked, so that the reader of the response sees that the last chunk was sent.
            let written = state.withLock { state in
                let count = connection.write(rest)
                if let count, count > 0 { state.lastProgress = .now }
                if isLast, count == rest.count { state.isComplete = !connection.hasUnsent }
                return count
            }
            guard let count = written else { return false }
            rest = rest.dropFirst(count)
            guard count == 0 || connection.hasUnsent else { continue }
            guard try await connection.waits(for: .writable, until: .now + timeout) else {
                throw ClientError(.timedOut, "The server did not read the request in time")
            }
        }
        return true
    }
}
#endif
