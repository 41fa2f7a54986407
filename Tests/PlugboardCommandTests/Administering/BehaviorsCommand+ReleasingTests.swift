import ArgumentParser
import JSONCodec
import Plugboard
import PlugboardClient
import Testing

@testable import PlugboardCommand

@Suite("The commands behaviors promote, environments and schedule")
struct ReleasingCommandTests {
    private typealias Command = BehaviorsCommand

    @Test("a live document is promoted to another environment")
    func promote() async throws {
        try await serving { site in
            let options = ["--document", "shop"] + site.options
            let file = try site.folder.write("a.json", document("hello"))
            try await Command.Publish.parse([file] + options).run()
            let promotion = ["--to", "staging", "--if-live", "0"]
            await #expect(throws: ExitCode(1)) {
                try await Command.Promote.parse(promotion + options).run()
            }
            try await Command.Promote.parse(promotion + ["--create"] + options).run()
            let from = ["--from", "staging", "--to", "production", "--if-live", "1"]
            try await Command.Promote.parse(from + options).run()
            let staged = try await site.client.send(
                ListBehaviors.self,
                .init(environment: "staging")
            )
            #expect(staged.map(\.name) == ["shop"] && staged.first?.live == 1)
            await #expect(throws: ExitCode(1)) {
                try await Command.Promote.parse(["--to", "staging", "--if-live", "0"] + options)
                    .run()
            }
        }
    }

    @Test("authors can't approve their own drafts, and rules set the number of approvals")
    func approve() async throws {
        try await serving { site in
            let rules = ["production", "--approvals", "1"]
            try await Command.Environments.parse(rules + site.options).run()
            try await Command.Environments.parse(site.options).run()
            let read = try await site.client.send(
                GetEnvironment.self,
                .init(environment: "production")
            )
            #expect(read.approvals == 1)
            let file = try site.folder.write("a.json", document("hello"))
            try await Command.Publish.parse([file, "--draft"] + site.options).run()
            await #expect(throws: ExitCode(1)) {
                try await Command.Approve.parse(["1"] + site.options).run()
            }
            await #expect(throws: ExitCode(1)) {
                try await Command.Publish.parse(["--revision", "1"] + site.options).run()
            }
        }
    }

    @Test("an environment is declared, renamed and removed")
    func environments() async throws {
        try await serving { site in
            func run(_ words: String...) async throws {
                let command = try Command.Environments.parse(words + site.options)
                try await command.run()
            }
            func known() async throws -> [String] {
                try await site.client.send(ListEnvironments.self).map {
                    "\($0.environment) \($0.approvals)"
                }
            }
            await #expect(throws: ExitCode(1)) { try await run("qa", "--approvals", "2") }
            #expect(try await known() == ["production 0"])
            try await run("qa", "--approvals", "2", "--create")
            try await run("dev", "--create")
            try await run("qa", "--rename", "test")
            #expect(try await known() == ["dev 0", "production 0", "test 2"])
            await #expect(throws: ExitCode(1)) { try await run("test", "--rename", "dev") }
            try await run("test", "--remove")
            await #expect(throws: ExitCode(1)) { try await run("test", "--remove") }
            await #expect(throws: ExitCode(1)) { try await run("production", "--remove") }
            #expect(try await known() == ["dev 0", "production 0"])
        }
    }

    @Test(
        "an environment gets one change at once, and each change has an environment",
        arguments: [
            ["--approvals", "1"], ["--create"], ["--remove"], ["--rename", "qa"],
            ["qa", "--remove", "--rename", "dev"], ["qa", "--remove", "--approvals", "1"],
        ]
    )
    func environmentUsage(arguments: [String]) async throws {
        let command = try Command.Environments.parse(arguments)
        await #expect(throws: ExitCode(64)) { try await command.run() }
    }

    @Test("a draft is listed, described and discarded, and then can't be published")
    func discard() async throws {
        try await serving { site in
            let file = try site.folder.write("a.json", document("hello"))
            let put = [file, "--draft", "--document", "shop"]
            try await Command.Publish.parse(put + site.options).run()
            try await Command.Drafts.parse(["--document", "shop"] + site.options).run()
            try await Command.Status.parse(site.options).run()
            await #expect(throws: ExitCode(0)) {
                try await Command.Status.parse(["--json"] + site.options).run()
            }
            let options = ["--document", "shop"] + site.options
            try await Command.Show.parse(["1", "--details"] + options).run()
            let waiting = try await site.client.send(ListDrafts.self, .init())
            #expect(waiting.drafts.map(\.name) == ["shop"] && waiting.drafts.first?.needed == 0)
            #expect(waiting.isComplete)
            try await Command.Discard.parse(["1", "--message", "No"] + options).run()
            let draft = try await site.client.send(
                DescribeRevision.self,
                RevisionID(name: "shop", revision: 1)
            )
            #expect(draft.state == "discarded" && draft.discarded?.message == "No")
            #expect(draft.wentLive == nil)
            #expect(try await site.client.send(ListDrafts.self, .init()).drafts.isEmpty)
            await #expect(throws: ExitCode(1)) {
                try await Command.Publish.parse(["--revision", "1"] + options).run()
            }
            let overview = try await site.client.send(GetOverview.self, .init())
            #expect(
                Command.Status.lines(of: try #require(overview.documents.first)) == [
                    "shop  nothing is live"
                ]
            )
        }
    }

    @Test("the status has a line for each rollout, draft, schedule and long time without a change")
    func status() throws {
        let text = #"""
            {"name": "shop", "environment": "production", "latest": 4, "live": 3,
             "since": "2026-11-22T08:00:00Z", "days": 41, "unchanged": true,
             "author": "fc509b29edc2", "message": "Autumn",
             "rollouts": [{"place": "Banner", "percent": 12.5},
                          {"place": "Home/show", "percent": 50, "value": "red"}],
             "drafts": [{"name": "shop", "environment": "production", "revision": 4,
                         "author": "fc509b29edc2", "authorName": "ada",
                         "created": "2026-11-23T08:00:00Z", "needed": 1, "given": 0,
                         "approvals": [], "ended": [], "schedules": []}],
             "schedules": [{"id": 9, "name": "shop", "environment": "production", "revision": 4,
                            "at": "2027-01-01T08:00:00Z", "by": "fc509b29edc2", "byName": "ada",
                            "condition": "it needs an approval"}]}
            """#
        let report = try JSON.decode(OverviewReport.self, from: text.utf8)
        #expect(
            Command.Status.lines(of: report) == [
                "shop  revision 3 live since 2026-11-22T08:00:00Z  by fc509b29edc2  Autumn",
                "  rolls out  Banner to 12.5 %, Home/show red to 50 %",
                "  waits  draft 4 of 2026-11-23T08:00:00Z  by ada  0 of 1 approval",
                "  scheduled  revision 4 at 2027-01-01T08:00:00Z  by ada  it needs an approval",
                "  unchanged  for 41 days",
            ]
        )
    }

    @Test("a schedule is created, listed and cancelled")
    func schedule() async throws {
        try await serving { site in
            let file = try site.folder.write("a.json", document("hello"))
            try await Command.Publish.parse([file, "--draft"] + site.options).run()
            let time = ["1", "--at", "2099-01-01T00:00:00Z"]
            try await Command.Schedule.parse(time + site.options).run()
            try await Command.Schedule.parse(site.options).run()
            let pending = try await site.client.send(
                ListSchedules.self,
                BehaviorID(name: "default", environment: nil)
            )
            #expect(pending.map(\.revision) == [1])
            let cancel = ["--cancel", "\(pending.first?.id ?? 0)"]
            try await Command.Schedule.parse(cancel + site.options).run()
            await #expect(throws: ExitCode(1)) {
                try await Command.Schedule.parse(cancel + site.options).run()
            }
        }
    }

    @Test(
        "a revision needs a time, and excludes --cancel",
        arguments: [
            ["1"], ["--at", "x"], ["1", "--at", "x", "--cancel", "1"], ["1", "--at", "tomorrow"],
        ]
    )
    func usage(arguments: [String]) async throws {
        let command = try Command.Schedule.parse(arguments)
        await #expect(throws: ExitCode(64)) { try await command.run() }
    }
}
