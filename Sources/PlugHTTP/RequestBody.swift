/// A request's body as it comes, piece by piece: the input of an action that takes what may be
/// larger than memory.
///
/// ```swift
/// class Upload: Action<RequestBody, Receipt> {}
/// Upload.self <~ { body in
///     var size = 0
///     for try await piece in body { size += piece.count }
///     return Receipt(size: size)
/// }
/// ```
/// Pieces are read as fast as they are taken, and no faster: a slow action slows its client down.
/// A body that breaks off throws from the loop. It can be read once. Trailers behind it are left out.
public struct RequestBody: AsyncSequence, Sendable {
    /// A piece of the body; never empty.
    public typealias Element = [UInt8]

    private let next: @Sendable () async throws -> [UInt8]?

    /// A body whose pieces come from `next`, until it returns nil.
    public init(next: @escaping @Sendable () async throws -> [UInt8]?) {
        self.next = next
    }

    /// Reads the pieces.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let pieces: @Sendable () async throws -> [UInt8]?

        /// The next piece; nil behind the last.
        public mutating func next() async throws -> [UInt8]? { try await pieces() }
    }

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces: next) }
}
