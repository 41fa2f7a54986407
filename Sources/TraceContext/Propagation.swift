package import HTTPTypes
package import Tracing

/// How traces come in with requests, and go out with those that are made meanwhile.
///
/// It is swift-distributed-tracing's way, whoever does it: the tracer that the process has, or,
/// where it has none, one that passes the fields on as they came (W3C Trace Context, processing
/// model in forwarding mode).
package struct Propagation: Sendable {
    /// What makes spans; nil where nobody does.
    package let tracer: (any Tracer)?
    private let instrument: any Instrument

    /// That of a tracer; one that does nothing counts as none.
    package init(_ tracer: any Tracer) {
        self.init(tracer, tracer)
    }

    /// That of the current task and of the process.
    package static var current: Propagation {
        let instrument = InstrumentationSystem.instrument
        // A tracer is looked for among the instruments by conformance, which takes its time.
        let hasNone = instrument is NoOpInstrument
        return Propagation(hasNone ? NoOpTracer() : InstrumentationSystem.tracer, instrument)
    }

    /// That of a tracer and what may carry more than it does.
    package init(_ tracer: any Tracer, _ instrument: any Instrument) {
        if !(tracer is NoOpTracer) {
            self.tracer = tracer
            self.instrument = instrument
        } else {
            self.tracer = nil
            // One that makes no spans may still have something to carry.
            self.instrument =
                instrument is NoOpInstrument || instrument is NoOpTracer
                ? PassThrough() : MultiplexInstrument([PassThrough(), instrument])
        }
    }

    /// Whether fields other than the recommendation's two are asked for.
    package var readsAllFields: Bool { !(instrument is PassThrough) }

    /// Reads what a request's fields say of its trace.
    package func extract(_ fields: HTTPFields, into context: inout ServiceContext) {
        instrument.extract(fields, into: &context, using: FieldExtractor())
    }

    /// Writes what the next service is to know.
    package func inject(_ context: ServiceContext, into fields: inout HTTPFields) {
        instrument.inject(context, into: &fields, using: FieldInjector())
    }

    /// Where a context stands in its trace: what the next service would be told; nil if nothing.
    package func position(of context: ServiceContext) -> TraceParent? {
        var fields = HTTPFields()
        inject(context, into: &fields)
        return TraceFields(fields)?.parent
    }
}

/// Reads fields for an instrument, which gets no `traceparent` but a valid one, and no
/// `tracestate` but with it.
struct FieldExtractor: Extractor {
    func extract(key: String, from fields: HTTPFields) -> String? {
        switch key.lowercased() {
        case TraceFields.parentName: return TraceFields(fields)?.parent.text
        case TraceFields.stateName:
            guard let state = TraceFields(fields)?.state, !state.members.isEmpty else { return nil }
            return state.text
        default:
            let values = fields.values(key)
            // One list (RFC 9110 §5.3).
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

/// Hands a trace on without taking part in it.
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
