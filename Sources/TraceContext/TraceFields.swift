package import HTTPTypes
import Tracing

/// The two fields that carry a trace from one service to the next (W3C Trace Context §3).
package struct TraceFields: Sendable, Equatable {
    package let parent: TraceParent
    package let state: TraceState

    static let parentName = "traceparent"
    static let stateName = "tracestate"

    /// Reads them; nil without exactly one valid `traceparent`, and then a `tracestate` doesn't
    /// count either (§3.3).
    package init?(_ fields: HTTPFields) {
        let parents = fields.values(Self.parentName)
        guard parents.count == 1, let parent = TraceParent(parents[0].utf8) else { return nil }
        self.init(parent, TraceState(fields.values(Self.stateName)))
    }

    init(_ parent: TraceParent, _ state: TraceState) {
        self.parent = parent
        self.state = state
    }
}

extension HTTPFields {
    /// The values of all fields of a name, which may come from a tracer and be none.
    func values(_ name: String) -> [String] {
        HTTPField.Name(name).map { self[values: $0] } ?? []
    }
}

extension ServiceContext {
    /// The fields that are passed on as they came, where no tracer has fields of its own.
    var traceFields: TraceFields? {
        get { self[TraceFieldsKey.self] }
        set { self[TraceFieldsKey.self] = newValue }
    }
}

private enum TraceFieldsKey: ServiceContextKey {
    typealias Value = TraceFields
    static var nameOverride: String? { "trace-fields" }
}
