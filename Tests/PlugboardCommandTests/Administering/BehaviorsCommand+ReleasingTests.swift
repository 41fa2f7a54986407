import ArgumentParser
import Plugboard
import PlugboardClient
import Testing

@testable import PlugboardCommand

@Suite("The commands behaviors promote, rules and schedule")
struct ReleasingCommandTests {
    private typealias Command = BehaviorsCommand

    @Test("a live document is promoted to another environment")
    func promote() async throws {
        try await serving { site in
            let options = ["--document", "shop"] + site.options
            let file = try site.folder.write("a.json", document("hello"))
            try await Command.Publish.parse([file] + options).run()
            try await Command.Promote.parse(["--to", "staging", "--if-live", "0"] + options).run()
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
            try await Command.Rules.parse(rules + site.options).run()
            try await Command.Rules.parse(site.options).run()
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
        arguments: [["1"], ["--at", "x"], ["1", "--at", "x", "--cancel", "1"]]
    )
    func usage(arguments: [String]) async throws {
        let command = try Command.Schedule.parse(arguments)
        await #expect(throws: ExitCode(64)) { try await command.run() }
    }
}
