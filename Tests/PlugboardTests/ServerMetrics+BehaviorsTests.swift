import BehaviorStore
import Glibc
import Telemetry
import Testing

@testable import Plugboard

@Suite("Live revisions on the metrics page")
struct ServerMetricsBehaviorsTests {
    @Test("a document has its number and the time since which it is live")
    func revisions() async throws {
        let place = try BehaviorsPlace()
        let fields = try await place.fields()
        try await serving(operated(place.server())) { site in
            let file = #"{environment="production",document="default"}"#
            let since = try await site.metric("plugboard_behavior_live_timestamp_seconds\(file)")
            #expect(since.map { abs($0 - Double(time(nil))) < 600 } == true)
            // A file's revision has no number.
            #expect(try await site.metric("plugboard_behavior_revision\(file)") == nil)
            let labels = #"{environment="production",document="checkout"}"#
            for number in 1...2 {
                let text = #"[{"name":"N\#(number)","actions":[]}]"#
                let answer = try await site.send(
                    "PUT",
                    "/behaviors/checkout",
                    fields: fields,
                    body: text
                )
                #expect(answer.status < 300, "\(answer.text)")
                let live = try await site.metric("plugboard_behavior_revision\(labels)")
                #expect(live == Double(number))
            }
            let state = #"plugboard_behavior_documents{environment="production",state="#
            #expect(try await site.metric(state + #""served"}"#) == 2)
            #expect(try await site.metric(state + #""unservable"}"#) == 0)
            let problems = #"plugboard_behavior_store_problems{environment="production"}"#
            #expect(try await site.metric(problems) == 0)
        }
    }

    @Test("a document that can't be served has no revision, and counts as unservable")
    func unservable() throws {
        let live = LiveBehaviors()
        live["a"] = LiveBehavior(nil)
        live["b"] = LiveBehavior(BehaviorRevision(bytes: Array("[]".utf8), lastModified: 7))
        let families = metrics(of: live).behaviors
        let documents = try #require(families.first { $0.name == "plugboard_behavior_documents" })
        #expect(documents.samples.map(\.value) == [.number(1), .number(1)])
        let since = families.first { $0.name == "plugboard_behavior_live_timestamp_seconds" }
        #expect(since?.samples.map(\.value) == [.number(7)])
    }

    @Test("of more than 500 documents the first have series, and all are counted")
    func bounded() throws {
        let live = LiveBehaviors()
        let revision = BehaviorRevision(bytes: Array("[]".utf8), lastModified: 1)
        for number in 1...600 { live["d\(number)"] = LiveBehavior(revision) }
        let families = metrics(of: live).behaviors
        for family in families {
            let isByKind = family.name == "plugboard_behavior_guard_reports"
            #expect(family.samples.count <= 500 * (isByKind ? GuardReportKind.allCases.count : 1))
        }
        let documents = families.first { $0.name == "plugboard_behavior_documents" }
        #expect(documents?.samples.first?.value == .number(600))
    }

    private func metrics(of live: LiveBehaviors) -> ServerMetrics {
        ServerMetrics(
            .init(exposed: [], served: { [] }, version: "", environment: "test", behaviors: live)
        )
    }
}
