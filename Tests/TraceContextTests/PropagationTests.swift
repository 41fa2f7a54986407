import HTTPTypes
import InMemoryTracing
import Testing
import TraceContext
import Tracing

private let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
private let parent = "00-\(trace)-00f067aa0ba902b7-01"

private func fields(_ lines: (String, String)...) -> HTTPFields {
    var fields = HTTPFields()
    for (name, value) in lines {
        guard let name = HTTPField.Name(name) else { continue }
        fields.append(HTTPField(name: name, value: value))
    }
    return fields
}

@Suite("Propagation of trace fields")
struct PropagationTests {
    /// Returns the fields that are forwarded without a tracer.
    private func passed(_ incoming: HTTPFields) -> HTTPFields {
        let propagation = Propagation(NoOpTracer())
        var context = ServiceContext.topLevel
        propagation.extract(incoming, into: &context)
        var outgoing = HTTPFields()
        propagation.inject(context, into: &outgoing)
        return outgoing
    }

    @Test("without a tracer fields are forwarded unchanged (processing model, forwarding mode)")
    func forwarding() {
        let state = "rojo=1,congo=2"
        let incoming = fields(("Traceparent", parent), ("TraceState", state))
        #expect(passed(incoming) == fields(("traceparent", parent), ("tracestate", state)))
        #expect(Propagation(NoOpTracer()).tracer == nil)
    }

    @Test("a later version's value is forwarded unchanged (§4.2)")
    func laterVersion() {
        let later = "cc-\(trace)-00f067aa0ba902b7-01-what-the-future-will-be-like"
        #expect(passed(fields(("traceparent", later))) == fields(("traceparent", later)))
    }

    @Test("other fields aren't forwarded")
    func others() {
        #expect(passed(fields(("authorization", "Bearer x"), ("b3", "0"))).isEmpty)
    }

    @Test(
        "without exactly one valid traceparent nothing is forwarded, nor is tracestate (§3.3)",
        arguments: [
            [], [""], ["00-\(trace)-0000000000000000-01"], [parent, parent],
            [parent + ", " + parent], [parent.uppercased()], ["ff" + parent.dropFirst(2)],
            ["01" + parent.dropFirst(2) + "-" + String(repeating: "x", count: 300)],
        ]
    )
    func invalid(_ parents: [String]) {
        var incoming = fields(("tracestate", "rojo=1"))
        for value in parents { incoming += fields(("traceparent", value)) }
        #expect(passed(incoming).isEmpty)
    }

    @Test("an invalid tracestate doesn't affect the traceparent (§3.3)")
    func invalidState() {
        let incoming = fields(("traceparent", parent), ("tracestate", "foo"))
        #expect(passed(incoming) == fields(("traceparent", parent)))
    }

    @Test("a context has its trace and parent ids")
    func position() {
        let propagation = Propagation(NoOpTracer())
        var context = ServiceContext.topLevel
        #expect(propagation.position(of: context) == nil)
        propagation.extract(fields(("traceparent", parent)), into: &context)
        #expect(propagation.position(of: context)?.traceID == trace)
        #expect(propagation.position(of: context)?.parentID == "00f067aa0ba902b7")
    }

    @Test("a tracer reads and writes its own fields as well")
    func tracer() throws {
        let tracer = InMemoryTracer()
        let propagation = Propagation(tracer)
        var context = ServiceContext.topLevel
        let incoming = fields(
            (InMemoryTracer.traceIDKey, "t"),
            (InMemoryTracer.spanIDKey, "s"),
            ("traceparent", parent)
        )
        propagation.extract(incoming, into: &context)
        #expect(context.inMemorySpanContext?.traceID == "t")
        var outgoing = HTTPFields()
        propagation.inject(context, into: &outgoing)
        #expect(
            outgoing
                == fields((InMemoryTracer.traceIDKey, "t"), (InMemoryTracer.spanIDKey, "s"))
        )
    }

    @Test("a tracer scoped to a task is current within the task")
    func scoped() {
        let tracer = InMemoryTracer()
        #expect(withTracer(tracer) { Propagation.current.tracer is InMemoryTracer })
        #expect(Propagation.current.tracer == nil)
    }

    @Test("an instrument without spans forwards its fields beside the trace's")
    func instrument() {
        let recorder = Baggage()
        let propagation = withInstrument(recorder)
        var context = ServiceContext.topLevel
        let incoming = fields(("baggage", "a=1"), ("baggage", "b=2"), ("traceparent", parent))
        propagation.extract(incoming, into: &context)
        var outgoing = HTTPFields()
        propagation.inject(context, into: &outgoing)
        #expect(outgoing == fields(("traceparent", parent), ("baggage", "a=1, b=2")))
        #expect(propagation.readsAllFields)
    }

    private func withInstrument(_ instrument: some Instrument) -> Propagation {
        Propagation(NoOpTracer(), instrument)
    }
}

/// Carries one field.
private struct Baggage: Instrument {
    private enum Key: ServiceContextKey { typealias Value = String }

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier,
        into context: inout ServiceContext,
        using extractor: Extract
    ) where Extract.Carrier == Carrier {
        context[Key.self] = extractor.extract(key: "baggage", from: carrier)
    }

    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext,
        into carrier: inout Carrier,
        using injector: Inject
    ) where Inject.Carrier == Carrier {
        if let value = context[Key.self] {
            injector.inject(value, forKey: "baggage", into: &carrier)
        }
    }
}
