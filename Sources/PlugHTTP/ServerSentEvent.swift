/// An event of a stream for browsers' `EventSource` (HTML Standard §9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The event's data: text with any number of lines.
    public var data: String
    /// The event's type; clients use `message` if it is nil.
    public var event: String?
    /// The id that a reconnecting client sends as `Last-Event-ID`.
    public var id: String?
    /// The time that a client waits before it reconnects: at most 24 days, and never negative.
    public var retry: Duration?

    /// Creates an event.
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

    /// The event on the wire, including its empty line.
    ///
    /// Line breaks in `event` and `id` would begin another field and are removed; so is NUL,
    /// because clients ignore an id with it.
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
            // Browsers count milliseconds in 32 bits.
            let clamped = min(max(.zero, retry), .milliseconds(Int32.max))
            let (seconds, attoseconds) = clamped.components
            let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
            append("retry: ", String(milliseconds).utf8)
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

/// A stream of events: the output of an action that a client subscribes to.
///
/// ```swift
/// class Ticks: Action<Void, EventStream>, GET { static var path: String { "/ticks" } }
/// Ticks.self <~ { EventStream(clock.map { ServerSentEvent(data: "\($0)") }) }
/// ```
/// The server sends keep-alives between events. The stream ends with its sequence, when its
/// client disconnects, or when the server stops; in the last two cases its task is cancelled.
public struct EventStream: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent

    private let events: @Sendable () async throws -> ServerSentEvent?

    /// Creates a stream whose events come from `next` until it returns nil.
    public init(next: @escaping @Sendable () async throws -> ServerSentEvent?) {
        events = next
    }

    /// Creates a stream from a sequence of events.
    public init<Events: AsyncSequence & Sendable>(_ events: Events)
    where Events.Element == ServerSentEvent {
        let reader = SingleReader(events)
        self.init { try await reader.next() }
    }

    /// Iterates over the events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let events: @Sendable () async throws -> ServerSentEvent?

        /// Returns the next event; nil after the last.
        public mutating func next() async throws -> ServerSentEvent? { try await events() }
    }

    /// Starts waiting for events.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events: events) }
}
