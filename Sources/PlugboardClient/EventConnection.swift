import HTTPSyntax
public import HTTPTransport
import HTTPTypes
import PlugHTTP

/// The reconnection of an event stream whose connection broke.
///
/// The new request has the last event's id in `Last-Event-ID` (HTML Standard §9.2.4), so that the
/// server can continue after it.
public struct EventReconnection: Sendable {
    /// The maximum number of attempts in a row without an event; 0 for no reconnection.
    public var maximumAttempts = 10
    /// The waits before the attempts; an event's `retry` replaces the first one.
    public var backoff = Backoff(first: .seconds(1), maximum: .seconds(30))
    /// Whether a stream that the server ends is continued, too, as browsers do.
    ///
    /// A server that stops ends its streams. Only the status 204 ends such a stream for good.
    public var continuesAfterEnd = false
    /// Receives the reason before each wait, so that an app can show that it is offline.
    public var onBreak: (@Sendable (any Error) -> Void)?

    /// Creates the default reconnection.
    public init() {}

    /// No reconnection: a broken connection throws.
    public static var never: EventReconnection {
        var reconnection = EventReconnection()
        reconnection.maximumAttempts = 0
        return reconnection
    }
}

/// A stream of events over one connection after the other.
actor EventConnection {
    typealias Open = @Sendable (_ lastID: String?) async throws -> (HTTPResponse, BodyPieces)

    private let open: Open
    private var reconnection: EventReconnection
    private var pieces: BodyPieces?
    private var parser = EventParser()
    private var events: [ServerSentEvent] = []
    private var attempts = 0

    init(_ reconnection: EventReconnection, open: @escaping Open) {
        self.reconnection = reconnection
        self.open = open
    }

    /// Makes the first connection the only one.
    func setFinal() { reconnection.maximumAttempts = 0 }

    /// Connects.
    ///
    /// - Throws: The server's `Problem`, or `ClientError`.
    func connect() async throws {
        let (response, pieces) = try await open(parser.lastID)
        let type = response.headerFields[.contentType].map(MediaType.essence)
        guard response.status != .noContent else { return }
        guard type == "text/event-stream" else {
            throw ClientError(
                .invalidResponse,
                "The response is \(type ?? "of no media type"), not a stream of events"
            )
        }
        self.pieces = pieces
    }

    /// Returns the next event; nil once the stream has ended for good.
    func next() async throws -> ServerSentEvent? {
        while events.isEmpty {
            guard let pieces else { return nil }
            do {
                var iterator = pieces.makeAsyncIterator()
                guard let piece = try await iterator.next() else {
                    self.pieces = nil
                    guard reconnection.continuesAfterEnd else { return nil }
                    throw ClientError(.unreachable, "The server ended the stream")
                }
                events = try parser.feed(piece)
                if !events.isEmpty { attempts = 0 }
            } catch let error as ClientError where error.isBreak {
                try await reconnect(after: error)
            }
        }
        return events.removeFirst()
    }

    private func reconnect(after error: any Error) async throws {
        pieces = nil
        var error = error
        while true {
            guard attempts < reconnection.maximumAttempts else { throw error }
            var backoff = reconnection.backoff
            if let retry = parser.retry { backoff.first = retry }
            reconnection.onBreak?(error)
            try await Task.sleep(for: backoff.delay(before: attempts))
            attempts += 1
            parser.restart()
            do {
                return try await connect()
            } catch let failure as ClientError where failure.isBreak {
                error = failure
            } catch let problem as Problem where problem.status.isTemporary {
                error = problem
            }
        }
    }
}

extension ClientError {
    /// Whether the connection failed, so that another attempt may succeed.
    var isBreak: Bool {
        switch kind {
        case .unreachable, .timedOut, .invalidResponse: true
        case .invalidURL, .invalidInput, .untrusted, .tooLarge: false
        }
    }
}
