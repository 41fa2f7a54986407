import HTTPTypes
import Plugboard
import TestLog
import Testing

@Suite("Reports of apps' crash guards")
struct GuardReportsTests {
    private let folder: TemporaryFolder
    private let journal = Journal()

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("behaviors.json", #"[{"name":"A","actions":[]}]"#)
    }

    private func served(
        _ body:
            @escaping @Sendable (Site, @escaping @Sendable (String) async throws -> Double?)
            async throws -> Void
    ) async throws {
        let server = Server(behaviors: .file(folder["behaviors.json"]), logger: journal.logger)
        try await serving(operated(server)) { site in
            try await body(site) { kind in
                let labels = #"{environment="production",document="default",kind="\#(kind)"}"#
                return try await site.metric("plugboard_behavior_guard_reports_total" + labels)
            }
        }
    }

    private var reports: [String] { journal.lines.filter { $0.contains("an app reports") } }

    @Test("a report is counted by kind and logged with its revision, module and function")
    func counted() async throws {
        try await served { site, count in
            #expect(try await count("quarantine") == 0)
            let value =
                #"crash;revision="1f-9";module="B";function="show", "#
                + #"quarantine;revision="1f-9";module="B";function="show",fallback;revision="1f-9";source=previous"#
            let answer = try await site.get("/behaviors.json", ("Plugboard-Guard", value))
            #expect(answer.status == 200 && answer["Vary"]?.contains("Guard") != true)
            for kind in ["crash", "quarantine", "fallback"] {
                #expect(try await count(kind) == 1)
            }
            #expect(try await count("invalid") == 0)
            #expect(
                reports == [
                    "warning: an app reports a crash by its behavior function=show module=B revision=1f-9",
                    "warning: an app reports a quarantine by its behavior function=show module=B revision=1f-9",
                    "warning: an app reports a fallback by its behavior revision=1f-9 source=previous",
                ]
            )
        }
    }

    @Test(
        "a field that is no report is counted as invalid, and the document is served",
        arguments: [
            "", "crash", "nonsense;revision=\"1\"", "invalid;revision=\"1\"", "crash;revision=\"1",
            "crash;revision=\"1\",", ";", "(crash);revision=a", "crash;Revision=\"1\"",
            String(repeating: "crash;revision=\"1\",", count: 32) + "crash;revision=\"1\"",
        ]
    )
    func invalid(value: String) async throws {
        try await served { site, count in
            let answer = try await site.get("/behaviors.json", ("Plugboard-Guard", value))
            #expect(answer.status == 200)
            #expect(try await count("invalid") == 1)
            #expect(try await count("crash") == 0)
            #expect(reports == [])
        }
    }

    @Test("long texts are cut, and the log of a minute is limited; the metric counts all")
    func limited() async throws {
        try await served { site, count in
            let long = String(repeating: "x", count: 3_000)
            let value = "crash;revision=\"1\";module=\"\(long)\""
            for _ in 0..<100 {
                _ = try await site.get("/behaviors.json", ("Plugboard-Guard", value))
            }
            #expect(try await count("crash") == 100)
            // Each loop has its own limit, and the test may run across the end of a minute.
            #expect(reports.count >= 20 && reports.count < 100)
            #expect(reports.allSatisfy { $0.utf8.count < 400 })
            #expect(journal.lines.contains { $0.contains("plugboard_behavior_guard_reports") })
        }
    }
}
