package import HTTPTypes
package import Tracing

/// Propagates traces from requests to outgoing requests.
///
/// It uses the process's tracer from swift-distributed-tracing. Without one it forwards the fields
/// unchanged (W3C Trace Context, processing model in forwarding mode).
package struct Propagation: Sendable {
    /// The tracer that creates spans; nil for none.
    package let tracer: (any Tracer)?
    private let instrument: any Instrument

    /// Creates the propagation of a tracer; a no-op tracer counts as none.
    package init(_ tracer: any Tracer) {
        self.init(tracer, tracer)
    }

    /// The propagation of the current task and the process.
    package static var current: Propagation {
        let instrument = InstrumentationSystem.instrument
        // Finding a tracer among the instruments needs slow conformance checks.
        let hasNone = instrument is NoOpInstrument
        return Propagation(hasNone ? NoOpTracer() : InstrumentationSystem.tracer, instrument)
    }

    /// Creates the propagation of a tracer and an instrument that may propagate more fields.
    package init(_ tracer: any Tracer, _ instrument: any Instrument) {
        if !(tracer is NoOpTracer) {
            self.tracer = tracer
            self.instrument = instrument
        } else {
            self.tracer = nil
            // An instrument that creates no spans may still propagate fields.
            self.instrument =
                instrument is NoOpInstrument || instrument is NoOpTracer
                ? PassThrough() : MultiplexInstrument([PassThrough(), instrument])
        }
    }

    /// Whether fields other than `traceparent` and `tracestate` are read.
    package var readsAllFields: Bool { !(instrument is PassThrough) }

    /// Reads a request's trace fields into the context.
    package func extract(_ fields: HTTPFields, into context: inout ServiceContext) {
        instrument.extract(fields, into: &context, using: FieldExtractor())
    }

    /// Writes the context's trace fields for the next service.
    package func inject(_ context: ServiceContext, into fields: inout HTTPFields) {
        instrument.inject(context, into: &fields, using: FieldInjector())
    }

    /// Returns the `traceparent` that the next service would receive; nil for none.
    package func position(of context: ServiceContext) -> TraceParent? {
        var fields = HTTPFields()
        inject(context, into: &fields)
        return TraceFields(fields)?.parent
    }
}

/// Reads fields for an instrument.
///
/// It returns only a valid `traceparent`, and a `tracestate` only with one.
struct FieldExtractor: Extractor {
    func extract(key: String, from fields: HTTPFields) -> String? {
        switch key.lowercased() {
        case TraceFields.parentName: return TraceFields(fields)?.parent.text
        case TraceFields.stateName:
            guard let state = TraceFields(fields)?.state, !state.members.isEmpty else { return nil }
            return state.text
        default:
            let values = fields.values(key)
            // Several fields are one list (RFC 9110 §5.3).
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
    }
}

/// Writes an instrument's fields.
struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
        guard let name = HTTPField.Name(key) else { return }
        fields[name] = value
    }
}

/// Forwards a trace without taking part in it.
struct PassThrough: Instrument {
    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier,
        into context: inout ServiceContext,
        using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let text = extractor.extract(key: TraceFields.parentName, from: carrier),
            let parent = TraceParent(text.utf8)
        else { return }
        let state = extractor.extract(key: TraceFields.stateName, from: carrier)
        context.traceFields = TraceFields(parent, TraceState(state.map { [$0] } ?? []))
    }

    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext,
        into carrier: inout Carrier,
        using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let fields = context.traceFields else { return }
        injector.inject(fields.parent.text, forKey: TraceFields.parentName, into: &carrier)
        guard !fields.state.members.isEmpty else { return }
        injector.inject(fields.state.text, forKey: TraceFields.stateName, into: &carrier)
    }
}
