import Locking
import Tracing

/// A tracer that keeps its spans, and speaks W3C Trace Context as one of those that export them
/// does: it makes a span of the parent's trace, or a trace of its own.
struct TestTracer: Tracer {
    struct Identity: Sendable, Equatable {
        var traceID: String
        var spanID: String
        var parentID: String?
        var state: String?
    }

    final class Span: Tracing.Span {
        private struct State {
            var operationName: String
            var attributes: SpanAttributes = [:]
            var status: SpanStatus?
            var errors: [String] = []
            /// Stores the span when it ends; then set to nil, because it would retain the span.
            var keep: (@Sendable (Span) -> Void)?
        }

        let context: ServiceContext
        let kind: SpanKind
        let identity: Identity
        private let state: Locked<State>

        init(
            _ name: String,
            _ context: ServiceContext,
            _ kind: SpanKind,
            _ identity: Identity,
            keep: @escaping @Sendable (Span) -> Void
        ) {
            var context = context
            context[Key.self] = identity
            self.context = context
            self.kind = kind
            self.identity = identity
            state = Locked(State(operationName: name, keep: keep))
        }

        var operationName: String {
            get { state.withLock { $0.operationName } }
            set { state.withLock { $0.operationName = newValue } }
        }
        var attributes: SpanAttributes {
            get { state.withLock { $0.attributes } }
            set { state.withLock { $0.attributes = newValue } }
        }
        var status: SpanStatus? { state.withLock { $0.status } }
        var errors: [String] { state.withLock { $0.errors } }
        var isRecording: Bool { state.withLock { $0.keep != nil } }

        func setStatus(_ status: SpanStatus) { state.withLock { $0.status = status } }
        func addEvent(_ event: SpanEvent) {}
        func addLink(_ link: SpanLink) {}

        func recordError<Instant: TracerInstant>(
            _ error: any Error,
            attributes: SpanAttributes,
            at instant: @autoclosure () -> Instant
        ) {
            let text = "\(error)"
            state.withLock { $0.errors.append(text) }
        }

        func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
            let keep = state.withLock { state in
                defer { state.keep = nil }
                return state.keep
            }
            keep?(self)
        }
    }

    private enum Key: ServiceContextKey { typealias Value = Identity }

    private final class Kept: Sendable {
        let spans = Locked<[Span]>([])
    }

    private let kept = Kept()

    /// The spans that have ended, in the order they did: a server's before its answer is sent.
    var spans: [Span] { kept.spans.withLock { $0 } }

    func startSpan<Instant: TracerInstant>(
        _ operationName: String,
        context: @autoclosure () -> ServiceContext,
        ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant,
        function: String,
        file fileID: String,
        line: UInt
    ) -> Span {
        let context = context()
        let parent = context[Key.self]
        let identity = Identity(
            traceID: parent?.traceID ?? Self.digits() + Self.digits(),
            spanID: Self.digits(),
            parentID: parent?.spanID,
            state: parent?.state
        )
        return Span(operationName, context, kind, identity) { [kept] span in
            kept.spans.withLock { $0.append(span) }
        }
    }

    func forceFlush() {}

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier,
        into context: inout ServiceContext,
        using extractor: Extract
    ) where Extract.Carrier == Carrier {
        // Not validated: the caller has validated it.
        guard let parent = extractor.extract(key: "traceparent", from: carrier) else { return }
        let parts = parent.split(separator: "-").map(String.init)
        context[Key.self] = Identity(
            traceID: parts[1],
            spanID: parts[2],
            state: extractor.extract(key: "tracestate", from: carrier)
        )
    }

    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext,
        into carrier: inout Carrier,
        using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let identity = context[Key.self] else { return }
        let parent = "00-\(identity.traceID)-\(identity.spanID)-01"
        injector.inject(parent, forKey: "traceparent", into: &carrier)
        if let state = identity.state {
            injector.inject(state, forKey: "tracestate", into: &carrier)
        }
    }

    /// The identity of the span that a context is in.
    static func identity(_ context: ServiceContext?) -> Identity? { context?[Key.self] }

    /// 16 digits, not all zero.
    private static func digits() -> String {
        let digits = String(UInt64.random(in: 1 ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
