/// A stream of values: the output of an action whose response is lines of JSON.
///
/// ```swift
/// class Watch: Action<Void, JSONLines<Likes>>, GET { static var path: String { "/likes" } }
/// Watch.self <~ { JSONLines(store.changes) }
/// for try await likes in try await client.send(Watch.self) { show(likes) }
/// ```
/// A server accepts any `AsyncSequence` as an output. A client returns this one for each of them.
/// A connection that breaks throws from the loop.
public struct JSONLines<Element: Sendable>: AsyncSequence, Sendable {
    /// Returns the next value; nil after the last.
    package let next: @Sendable () async throws -> Element?

    /// Creates a stream whose values come from `next` until it returns nil.
    public init(next: @escaping @Sendable () async throws -> Element?) {
        self.next = next
    }

    /// Creates a stream from a sequence of values.
    public init<Values: AsyncSequence & Sendable>(_ values: Values)
    where Values.Element == Element {
        let reader = SingleReader(values)
        self.init { try await reader.next() }
    }

    /// Iterates over the values.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let values: @Sendable () async throws -> Element?

        /// Returns the next value; nil after the last.
        public mutating func next() async throws -> Element? { try await values() }
    }

    /// Starts waiting for values.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(values: next) }
}

/// A sequence that a client can make of a server's stream, so that `<~ client` plugs its action.
public protocol StreamedOutput: AsyncSequence {
    /// Creates a sequence whose values come from `next` until it returns nil.
    static func streaming(_ next: @escaping @Sendable () async throws -> Element?) -> Self
}

extension JSONLines: StreamedOutput {
    /// Creates a stream whose values come from `next`.
    public static func streaming(
        _ next: @escaping @Sendable () async throws -> Element?
    ) -> Self { Self(next: next) }
}

extension AsyncThrowingStream: StreamedOutput where Failure == any Error {
    /// Creates a stream whose values come from `next`.
    public static func streaming(
        _ next: @escaping @Sendable () async throws -> Element?
    ) -> Self { Self(unfolding: next) }
}

extension AsyncStream where Element: Sendable {
    /// Creates a stream from one that can throw, whose error ends this one.
    package static func streaming(_ values: JSONLines<Element>) -> Self {
        Self { try? await values.next() }
    }
}
