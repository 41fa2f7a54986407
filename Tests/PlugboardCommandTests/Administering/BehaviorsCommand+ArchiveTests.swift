import ArgumentParser
import Foundation
import Testing

@testable import PlugboardCommand

@Suite("The commands behaviors export and import, and audit")
struct ArchiveCommandTests {
    private typealias Command = BehaviorsCommand

    @Test("a server and its store export the same archive, which a new store imports")
    func archive() async throws {
        let target = try TemporaryFolder()
        try await serving { site in
            let file = try site.folder.write("a.json", document("hello"))
            let options = ["--document", "shop"] + site.options
            try await Command.Publish.parse([file] + options).run()
            let (first, second) = (site.folder["first"], site.folder["second"])
            try await Command.Export.parse([first] + site.options).run()
            try await Command.Export.parse([second] + site.store).run()
            let archives = try [first, second].map {
                try Data(contentsOf: URL(fileURLWithPath: $0))
            }
            #expect(archives[0] == archives[1] && !archives[0].isEmpty)
            let store = ["--data", target["data"]]
            try await Command.Import.parse([first] + store).run()
            try await Audit.Verify.parse(store).run()
            // The target must have no documents.
            await #expect(throws: Failure.self) {
                try await Command.Import.parse([first] + store).run()
            }
            try await Audit.List.parse(["--limit", "1"] + site.options).run()
            let part = archives[0].prefix(archives[0].count / 2)
            try part.write(to: URL(fileURLWithPath: second))
            await #expect(throws: Failure.self) {
                try await Command.Import.parse([second, "--data", target["other"]]).run()
            }
        }
    }

    @Test("an empty audit and a wrong last hash fail the verification")
    func audit() async throws {
        try await serving { site in
            let empty = await #expect(throws: Failure.self) {
                try await Audit.Verify.parse(site.store).run()
            }
            #expect(empty?.description.hasPrefix("the audit log is empty") == true)
            let file = try site.folder.write("a.json", document("hello"))
            try await Command.Publish.parse([file] + site.options).run()
            try await Audit.Verify.parse(site.store).run()
            let hash = String(repeating: "0", count: 64)
            await #expect(throws: (any Error).self) {
                try await Audit.Verify.parse(["--head", hash] + site.store).run()
            }
        }
    }

    @Test("the options for a server and for a store exclude each other")
    func usage() async throws {
        let command = try Command.Export.parse(["--url", "http://a", "--data", "d"])
        await #expect(throws: ExitCode(64)) { try await command.run() }
    }
}
