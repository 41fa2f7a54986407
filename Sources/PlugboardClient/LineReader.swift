import HTTPTransport
import Locking

/// The lines of a streamed body, without their line feeds.
final class LineReader: Sendable {
    private struct State {
        var buffer = LineBuffer()
        var isDone = false
    }

    private let pieces: BodyPieces
    private let state = Locked(State())

    init(_ pieces: BodyPieces) { self.pieces = pieces }

    /// Returns the next line; nil after the last.
    ///
    /// Bytes after the last line feed are a line, too.
    func next() async throws -> [UInt8]? {
        while true {
            if let line = state.withLock({ $0.buffer.next() }) { return line }
            guard !state.withLock({ $0.isDone }) else { return nil }
            var iterator = pieces.makeAsyncIterator()
            let piece = try await iterator.next()
            try state.withLock { state in
                if let piece { try state.buffer.append(piece) } else { state.isDone = true }
            }
            guard piece == nil else { continue }
            let rest = state.withLock { $0.buffer.takeRest() }
            return rest.isEmpty ? nil : rest
        }
    }
}

/// Received bytes that become lines.
struct LineBuffer {
    /// The maximum size of a line.
    static let maximumLine = 16 << 20

    private var bytes: [UInt8] = []
    private var start = 0
    /// The position from which no line feed was looked for yet.
    private var scanned = 0

    /// - Throws: `ClientError` of kind `tooLarge` for a line over the limit.
    mutating func append(_ piece: [UInt8]) throws(ClientError) {
        guard bytes.count - start + piece.count <= Self.maximumLine else {
            throw ClientError(.tooLarge, "A line of the response is over 16 MiB")
        }
        if start > 0 {
            bytes.removeFirst(start)
            scanned -= start
            start = 0
        }
        bytes += piece
    }

    /// Returns the next complete line, without its line feed.
    mutating func next() -> [UInt8]? {
        guard let end = bytes[scanned...].firstIndex(of: 0x0A) else {
            scanned = bytes.count
            return nil
        }
        defer {
            start = end + 1
            scanned = start
        }
        return Array(bytes[start..<end])
    }

    /// Returns the bytes after the last line feed.
    mutating func takeRest() -> [UInt8] {
        defer { self = LineBuffer() }
        return Array(bytes[start...])
    }
}
