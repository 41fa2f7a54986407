/// An event of a stream as browsers' `EventSource` reads it (HTML Standard §9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// What happened; any text, in any number of lines.
    public var data: String
    /// What kind of event it is; a client takes one without for a `message`.
    public var event: String?
    /// What a client that connects again says it has seen last (`Last-Event-ID`).
    public var id: String?
    /// How long a client waits before it connects again.
    public var retry: Duration?

    /// An event of these parts.
    public init(
        data: String,
        event: String? = nil,
        id: String? = nil,
        retry: Duration? = nil
    ) {
        self.data = data
        self.event = event
        self.id = id
        self.retry = retry
    }

    /// The event on the wire, its empty line included.
    ///
    /// `event` and `id` are lines: a line break in them would begin another field, so it is left
    /// out; so is NUL, for which a client would ignore the id.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        func append(_ name: StaticString, _ value: some Swift.Sequence<UInt8>) {
            bytes += UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
            bytes += value
            bytes.append(0x0A)
        }
        func isWithinLine(_ byte: UInt8) -> Bool { byte != 0x0A && byte != 0x0D && byte != 0 }
        if let event { append("event: ", event.utf8.filter(isWithinLine)) }
        if let id { append("id: ", id.utf8.filter(isWithinLine)) }
        if let retry {
            let (seconds, attoseconds) = retry.components
            let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
            append("retry: ", String(max(0, milliseconds)).utf8)
        }
        // CR, LF and CR LF each end a line.
        let text = Array(data.utf8)
        var start = 0
        for index in 0...text.count {
            guard index == text.count || text[index] == 0x0A || text[index] == 0x0D else {
                continue
            }
            if index > 0, index < text.count, text[index] == 0x0A, text[index - 1] == 0x0D {
                start = index + 1
                continue
            }
            append("data: ", text[start..<index])
            start = index + 1
        }
        bytes.append(0x0A)
        return bytes
    }
}

/// Events as they happen: the output of an action that a client listens to.
///
/// ```swift
/// class Ticks: Action<Void, EventStream>, GET { static var path: String { "/ticks" } }
/// Ticks.self <~ { EventStream(clock.map { ServerSentEvent(data: "\($0)") }) }
/// ```
/// Between events the server shows from time to time that the stream still lives. It ends with its
/// sequence, when its client goes away, and when the server stops: the task is cancelled then.
public struct EventStream: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent

    private let events: @Sendable () async throws -> ServerSentEvent?

    /// A stream whose events come from `next`, until it returns nil.
    public init(next: @escaping @Sendable () async throws -> ServerSentEvent?) {
        events = next
    }

    /// A stream of a sequence's events.
    public init<Events: AsyncSequence & Sendable>(_ events: Events)
    where Events.Element == ServerSentEvent {
        let reader = SingleReader(events)
        self.init { try await reader.next() }
    }

    /// Waits for the events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let events: @Sendable () async throws -> ServerSentEvent?

        /// The next event; nil behind the last.
        public mutating func next() async throws -> ServerSentEvent? { try await events() }
    }

    /// Begins to wait for events.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events: events) }
}
