/// A response's body of any media type.
///
/// It is either complete bytes, or a sequence of pieces for a response that may exceed memory or
/// never end.
///
/// ```swift
/// class Picture: Action<Void, ResponseBody>, GET { static var path: String { "/picture" } }
/// Picture.self <~ { ResponseBody(bytes: png, mediaType: "image/png") }
///
/// class Export: Action<Void, ResponseBody>, GET { static var path: String { "/export.csv" } }
/// Export.self <~ { ResponseBody(rows.map { Array($0.utf8) }, mediaType: "text/csv") }
/// ```
/// The server requests the next piece only once the previous one is sent. So a slow client slows
/// the action down. An error aborts the response in a way that the client can detect. The task is
/// cancelled when the client disconnects.
public struct ResponseBody: AsyncSequence, Sendable {
    /// A piece of the body.
    public typealias Element = [UInt8]

    /// The media type for the field `Content-Type`.
    public let mediaType: String

    /// The number of bytes; nil if it is unknown before the end.
    public package(set) var length: Int?

    /// The complete body; nil for a body of pieces.
    package let bytes: [UInt8]?

    private let pieces: @Sendable () async throws -> [UInt8]?

    /// Creates a complete body.
    public init(bytes: [UInt8], mediaType: String = "application/octet-stream") {
        self.mediaType = mediaType
        self.bytes = bytes
        length = bytes.count
        pieces = { nil }
    }

    /// Creates a body whose pieces come from `next` until it returns nil.
    public init(
        mediaType: String = "application/octet-stream",
        next: @escaping @Sendable () async throws -> [UInt8]?
    ) {
        self.mediaType = mediaType
        bytes = nil
        pieces = next
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
            return bytes
        }
    }

    /// Starts making the pieces.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes: bytes, pieces: pieces) }
}

/// A reference to a sequence's iterator.
///
/// `@unchecked Sendable` is safe: a body's reader requests one piece at a time.
package final class SingleReader<Sequence: AsyncSequence & Sendable>: @unchecked Sendable {
    private var iterator: Sequence.AsyncIterator

    package init(_ sequence: Sequence) {
        iterator = sequence.makeAsyncIterator()
    }

    package func next() async throws -> Sequence.Element? { try await iterator.next() }
}
