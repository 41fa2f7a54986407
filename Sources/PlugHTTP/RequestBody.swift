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
/// let receipt = try await client.send(Upload.self, RequestBody(pieces, mediaType: "text/csv"))
/// ```
/// The server reads a piece only when the action takes it, so a slow action slows its client down.
/// A body that breaks off throws from the loop. It can be read once. Trailers after it are ignored.
public struct RequestBody: AsyncSequence, Sendable {
    /// A piece of the body; never empty.
    public typealias Element = [UInt8]

    /// The media type that the client declares in `Content-Type`.
    public package(set) var mediaType: String

    /// The complete body; nil for a body of pieces.
    package let bytes: [UInt8]?

    private let pieces: @Sendable () async throws -> [UInt8]?

    /// Creates a body whose pieces come from `next` until it returns nil.
    public init(
        mediaType: String = "application/octet-stream",
        next: @escaping @Sendable () async throws -> [UInt8]?
    ) {
        self.mediaType = mediaType
        bytes = nil
        pieces = next
    }

    /// Creates a complete body from bytes, such as `Data`.
    public init(
        bytes: some Sequence<UInt8>,
        mediaType: String = "application/octet-stream"
    ) {
        self.mediaType = mediaType
        self.bytes = Array(bytes)
        pieces = { nil }
    }

    /// Creates a body from a sequence of pieces.
    public init<Pieces: AsyncSequence & Sendable>(
        _ pieces: Pieces,
        mediaType: String = "application/octet-stream"
    ) where Pieces.Element == [UInt8] {
        let reader = SingleReader(pieces)
        self.init(mediaType: mediaType) { try await reader.next() }
    }

    /// Iterates over the pieces.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var bytes: [UInt8]?
        fileprivate let pieces: @Sendable () async throws -> [UInt8]?

        /// Returns the next piece; nil after the last.
        public mutating func next() async throws -> [UInt8]? {
            guard let bytes else { return try await pieces() }
            self.bytes = nil
            return bytes.isEmpty ? nil : bytes
        }
    }

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes: bytes, pieces: pieces) }
}
