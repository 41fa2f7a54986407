import ArgumentParser
import Testing

@testable import PlugboardCommand

@Suite("The commands behaviors diff, validate and explain")
struct DiffCommandTests {
    private typealias Command = BehaviorsCommand

    @Test("equal files are status 0, different ones 1, unreadable ones 2")
    func files() async throws {
        let folder = try TemporaryFolder()
        let one = try folder.write("one.json", document("hello"))
        let two = try folder.write("two.json", document("goodbye"))
        let invalid = try folder.write("invalid.json", "{")
        try await Command.Diff.parse([one, one]).run()
        for (arguments, status) in [
            ([one, two], 1), ([one, two, "--patch"], 1), ([one, invalid], 2),
            ([folder["missing"], one], 2), ([], 64), ([folder["missing"]], 2),
            ([one, two, "--document", "x"], 64),
            ([one, two, "--from", "1"], 64),
        ] as [([String], Int32)] {
            await #expect(throws: ExitCode(status), "\(arguments)") {
                try await Command.Diff.parse(arguments).run()
            }
        }
    }

    @Test("revisions of a server: status 1 for a change, 2 for an unknown revision")
    func revisions() async throws {
        try await serving { site in
            for function in ["hello", "goodbye"] {
                let file = try site.folder.write("a.json", document(function))
                try await Command.Publish.parse([file] + site.options).run()
            }
            try await Command.Diff.parse(["--from", "2"] + site.options).run()
            for (from, status) in [("1", 1), ("9", 2)] as [(String, Int32)] {
                await #expect(throws: ExitCode(status)) {
                    try await Command.Diff.parse(["--from", from] + site.options).run()
                }
            }
            let live = try site.folder.write("live.json", document("goodbye"))
            let other = try site.folder.write("other.json", document("hello"))
            try await Command.Diff.parse([live] + site.options).run()
            for (arguments, status) in [
                ([other], 1), ([other, "--document", "none"], 2), ([site.folder["none"]], 2),
            ] as [([String], Int32)] {
                await #expect(throws: ExitCode(status), "\(arguments)") {
                    try await Command.Diff.parse(arguments + site.options).run()
                }
            }
            try await Command.Explain.parse(["country=LV"] + site.options).run()
            for arguments in [["=x"], ["x"], ["a=1", "a=2"], ["--context", "[]"]] {
                await #expect(throws: ExitCode(64), "\(arguments)") {
                    try await Command.Explain.parse(arguments + site.options).run()
                }
            }
        }
    }

    @Test("all documents are checked, and an invalid one is status 1")
    func validate() async throws {
        let folder = try TemporaryFolder()
        let valid = try folder.write("valid.json", document("hello"))
        let invalid = try folder.write("invalid.json", #"[{"name": 5}]"#)
        try await Command.Validate.parse([valid, valid]).run()
        for files in [[invalid, valid], [valid, folder["missing"]]] {
            await #expect(throws: ExitCode(1)) { try await Command.Validate.parse(files).run() }
        }
    }
}
