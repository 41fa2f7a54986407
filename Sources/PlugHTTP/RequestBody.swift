/// A request's body as a sequence of pieces: the input of an action for bodies that may exceed
/// memory.
///
/// ```swift
/// class Upload: Action<RequestBody, Receipt> {}
/// Upload.self <~ { body in
///     var size = 0
///     for try await piece in body { size += piece.count }
///     return Receipt(size: size)
/// }
/// ```
/// The server reads a piece only when the action takes it, so a slow action slows its client down.
/// A body that breaks off throws from the loop. It can be read once. Trailers after it are ignored.
public struct RequestBody: AsyncSequence, Sendable {
    /// A piece of the body; never empty.
    public typealias Element = [UInt8]

    private let next: @Sendable () async throws -> [UInt8]?

    /// Creates a body whose pieces come from `next` until it returns nil.
    public init(next: @escaping @Sendable () async throws -> [UInt8]?) {
        self.next = next
    }

    /// Iterates over the pieces.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let pieces: @Sendable () async throws -> [UInt8]?

        /// Returns the next piece; nil after the last.
        public mutating func next() async throws -> [UInt8]? { try await pieces() }
    }

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces: next) }
}
