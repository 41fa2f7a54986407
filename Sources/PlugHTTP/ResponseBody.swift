/// A response's body of any media type: bytes at hand, or pieces that are made while they are sent,
/// for an answer that may be larger than memory or has no end yet.
///
/// ```swift
/// class Picture: Action<Void, ResponseBody>, GET { static var path: String { "/picture" } }
/// Picture.self <~ { ResponseBody(bytes: png, mediaType: "image/png") }
///
/// class Export: Action<Void, ResponseBody>, GET { static var path: String { "/export.csv" } }
/// Export.self <~ { ResponseBody(rows.map { Array($0.utf8) }, mediaType: "text/csv") }
/// ```
/// A piece is asked for when the one before is on its way, and no earlier: a slow client slows the
/// action down. An error breaks the answer off in a way that the client can see. When the client
/// goes away the task is cancelled.
public struct ResponseBody: AsyncSequence, Sendable {
    /// A piece of the body.
    public typealias Element = [UInt8]

    /// The media type, as `Content-Type` gives it.
    public let mediaType: String

    /// The whole body, where it is at hand.
    package let bytes: [UInt8]?

    private let pieces: @Sendable () async throws -> [UInt8]?

    /// A body that is at hand.
    public init(bytes: [UInt8], mediaType: String = "application/octet-stream") {
        self.mediaType = mediaType
        self.bytes = bytes
        pieces = { nil }
    }

    /// A body whose pieces come from `next`, until it returns nil.
    public init(
        mediaType: String = "application/octet-stream",
        next: @escaping @Sendable () async throws -> [UInt8]?
    ) {
        self.mediaType = mediaType
        bytes = nil
        pieces = next
    }

    /// A body of a sequence's pieces.
    public init<Pieces: AsyncSequence & Sendable>(
        _ pieces: Pieces,
        mediaType: String = "application/octet-stream"
    ) where Pieces.Element == [UInt8] {
        let reader = SingleReader(pieces)
        self.init(mediaType: mediaType) { try await reader.next() }
    }

    /// Makes the pieces.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var bytes: [UInt8]?
        fileprivate let pieces: @Sendable () async throws -> [UInt8]?

        /// The next piece; nil behind the last.
        public mutating func next() async throws -> [UInt8]? {
            guard let bytes else { return try await pieces() }
            self.bytes = nil
            return bytes
        }
    }

    /// Begins to make the pieces.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes: bytes, pieces: pieces) }
}

/// A sequence's iterator, behind a reference.
///
/// `@unchecked Sendable`: whoever reads a body asks for one piece at a time.
package final class SingleReader<Sequence: AsyncSequence & Sendable>: @unchecked Sendable {
    private var iterator: Sequence.AsyncIterator

    package init(_ sequence: Sequence) {
        iterator = sequence.makeAsyncIterator()
    }

    package func next() async throws -> Sequence.Element? { try await iterator.next() }
}
