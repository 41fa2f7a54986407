import Plug
import PlugHTTP
import TestLog
import Testing

@testable import Plugboard

@Suite("Plugs on the metrics page")
struct ServerMetricsPlugsTests {
    @Test("an action has its implementation; a plan has each one, with its calls and errors")
    func implementations() async throws {
        Plain.self <~ { "plain" }
        Chained.named("first") <~ { throw Broken() }
        Chained.named("second") <~ { "second" }
        Chained.named("unused") <~ { "unused" }
        Chained.self <~ .fallback("first", "second")
        let server = Server(logger: Journal().logger) {
            Plain.self
            Chained.self
        }
        try await serving(operated(server)) { site in
            let answer = try await site.get("/chained")
            #expect(answer.text == #""second""#)
            let plain = #"{action="Plain",plan="plug",live="false",plug="closure"}"#
            #expect(try await site.metric("plugboard_plug_info\(plain)") == 1)
            for plug in ["first", "second"] {
                let labels = #"{action="Chained",plan="fallback",live="false",plug="\#(plug)"}"#
                #expect(try await site.metric("plugboard_plug_info\(labels)") == 1)
                let counted = #"{action="Chained",plug="\#(plug)"}"#
                #expect(try await site.metric("plugboard_plug_calls_total\(counted)") == 1)
                let errors = try await site.metric("plugboard_plug_errors_total\(counted)")
                #expect(errors == (plug == "first" ? 1 : 0))
                #expect(try await site.metric("plugboard_plug_running_calls\(counted)") == 0)
            }
            let page = try await site.operations("/metrics").text
            #expect(!page.contains("unused"))
            // Calls of a plain plug aren't counted.
            #expect(!page.contains(#"plugboard_plug_calls_total{action="Plain""#))
            let removals = #"plugboard_plug_guard_removals{action="Chained"}"#
            #expect(try await site.metric(removals) == 0)
        }
    }

    @Test("a breaker has one current state")
    func breaker() async throws {
        Guarded.named("bad") <~ { throw Broken() }
        Guarded.self <~ .breaker("bad", failures: 2, seconds: 3600)
        let server = Server(logger: Journal().logger) { Guarded.self }
        try await serving(operated(server)) { site in
            func states() async throws -> [Double?] {
                var states: [Double?] = []
                for state in ["closed", "half-open", "open"] {
                    let labels = #"{action="Guarded",layer="/breaker",state="\#(state)"}"#
                    states.append(try await site.metric("plugboard_plug_breaker_state\(labels)"))
                }
                return states
            }
            #expect(try await states() == [1, 0, 0])
            for _ in 0..<2 { _ = try await site.get("/guarded") }
            #expect(try await states() == [0, 0, 1])
        }
    }
}

private struct Broken: Error {}
private class Plain: Action<Void, String>, GET { static var path: String { "/plain" } }
private class Chained: Action<Void, String>, GET { static var path: String { "/chained" } }
private class Guarded: Action<Void, String>, GET { static var path: String { "/guarded" } }
