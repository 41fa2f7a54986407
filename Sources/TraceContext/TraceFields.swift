package import HTTPTypes
import Tracing

/// The two header fields of a distributed trace (W3C Trace Context §3).
package struct TraceFields: Sendable, Equatable {
    package let parent: TraceParent
    package let state: TraceState

    static let parentName = "traceparent"
    static let stateName = "tracestate"

    /// Parses the fields; nil without exactly one valid `traceparent`.
    ///
    /// Then `tracestate` is ignored too (§3.3).
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
    /// Returns the values of all fields with a name; none if a tracer's name is invalid.
    func values(_ name: String) -> [String] {
        HTTPField.Name(name).map { self[values: $0] } ?? []
    }
}

extension ServiceContext {
    /// The fields to forward unchanged if no tracer writes its own.
    var traceFields: TraceFields? {
        get { self[TraceFieldsKey.self] }
        set { self[TraceFieldsKey.self] = newValue }
    }
}

private enum TraceFieldsKey: ServiceContextKey {
    typealias Value = TraceFields
    static var nameOverride: String? { "trace-fields" }
}
