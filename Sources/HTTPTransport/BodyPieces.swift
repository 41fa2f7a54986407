import Locking

/// A message's body as a sequence of pieces, of any size.
///
/// It can be read once.
public struct BodyPieces: AsyncSequence, Sendable {
    /// A piece of the body; never empty.
    public typealias Element = [UInt8]

    private let pieces: @Sendable () async throws -> [UInt8]?

    /// Creates a body whose pieces come from `next` until it returns nil.
    public init(next: @escaping @Sendable () async throws -> [UInt8]?) {
        pieces = next
    }

    /// Creates a body of one piece, or of none if there are no bytes.
    public init(_ bytes: [UInt8]) {
        let whole = Locked<[UInt8]?>(bytes.isEmpty ? nil : bytes)
        self.init {
            whole.withLock { whole in
                defer { whole = nil }
                return whole
            }
        }
    }

    /// Creates a body from a sequence of pieces.
    public init<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces)
    where Pieces.Element == [UInt8] {
        let reader = PieceReader(pieces)
        self.init { try await reader.next() }
    }

    /// Iterates over the pieces.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let pieces: @Sendable () async throws -> [UInt8]?

        /// Returns the next piece; nil after the last.
        public mutating func next() async throws -> [UInt8]? {
            while let piece = try await pieces() {
                if !piece.isEmpty { return piece }
            }
            return nil
        }
    }

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces: pieces) }

    /// Returns the rest of the body.
    ///
    /// - Throws: ``ClientError`` of kind `tooLarge` beyond the limit, or the error of a piece.
    public func collect(upTo maximum: Int = .max) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in self {
            guard piece.count <= maximum - bytes.count else {
                throw ClientError(.tooLarge, "The body is over \(maximum) bytes")
            }
            bytes += piece
        }
        return bytes
    }
}

/// A request's body.
public enum TransportBody: Sendable {
    /// A body in memory; an empty one is no body.
    case bytes([UInt8])
    /// A body of any size.
    case pieces(BodyPieces)

    /// No body.
    public static let none = TransportBody.bytes([])

    /// Returns the body in memory.
    ///
    /// - Throws: The error of a piece.
    public func collect() async throws -> [UInt8] {
        switch self {
        case .bytes(let bytes): bytes
        case .pieces(let pieces): try await pieces.collect()
        }
    }
}

/// A reference to a sequence's iterator.
///
/// `@unchecked Sendable` is safe: a body's reader requests one piece at a time.
private final class PieceReader<Pieces: AsyncSequence>: @unchecked Sendable {
    private var iterator: Pieces.AsyncIterator

    init(_ pieces: Pieces) { iterator = pieces.makeAsyncIterator() }

    func next() async throws -> Pieces.Element? { try await iterator.next() }
}
