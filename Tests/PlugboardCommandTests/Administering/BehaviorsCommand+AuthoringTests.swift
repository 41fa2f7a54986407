import ArgumentParser
import Plugboard
import PlugboardClient
import Testing

@testable import PlugboardCommand

@Suite("The commands behaviors publish, history, show and rollback")
struct AuthoringCommandTests {
    private typealias Command = BehaviorsCommand

    private func live(_ site: Site) async throws -> Int? {
        try await site.client.send(ListBehaviors.self, .init()).first { $0.name == "shop" }?.live
    }

    @Test("a file, a draft and an earlier revision go live")
    func publish() async throws {
        try await serving { site in
            let options = ["--document", "shop"] + site.options
            let file = try site.folder.write("a.json", document("hello"))
            let other = try site.folder.write("b.json", document("goodbye"))
            try await Command.Publish.parse([file, "--if-live", "0"] + options).run()
            #expect(try await live(site) == 1)
            try await Command.Publish.parse([other, "--draft", "--message", "m"] + options).run()
            #expect(try await live(site) == 1)
            let draft = ["--revision", "2", "--if-live", "1"]
            try await Command.Publish.parse(draft + options).run()
            #expect(try await live(site) == 2)
            try await Command.Rollback.parse(["1", "--if-live", "2"] + options).run()
            #expect(try await live(site) == 3)
            try await Command.History.parse(["--limit", "2"] + options).run()
            try await Command.Show.parse(["1"] + options).run()
            try await Command.Show.parse(options).run()
            await #expect(throws: Failure.self) {
                try await Command.Show.parse(["--document", "none"] + site.options).run()
            }
            try await Command.List.parse(site.options).run()
            // RFC 9110 §13.1.1: the condition of a lost update fails.
            await #expect(throws: ExitCode(1)) {
                try await Command.Publish.parse([file, "--if-live", "1"] + options).run()
            }
            #expect(try await live(site) == 3)
        }
    }

    @Test(
        "a file and a revision exclude each other, and a draft is published unchanged",
        arguments: [
            [], ["a.json", "--revision", "1"], ["--revision", "1", "--draft"],
            ["--revision", "1", "--message", "m"],
        ]
    )
    func usage(arguments: [String]) async throws {
        let command = try Command.Publish.parse(arguments)
        await #expect(throws: ExitCode(64)) { try await command.run() }
    }

    @Test("an empty or missing file is a failure, an invalid document is status 1")
    func invalid() async throws {
        try await serving { site in
            let empty = try site.folder.write("empty.json", "")
            for file in [empty, site.folder["missing.json"]] {
                let failure = await #expect(throws: Failure.self) {
                    try await Command.Publish.parse([file] + site.options).run()
                }
                #expect(failure?.description.hasPrefix(file) == true)
            }
            let invalid = try site.folder.write("invalid.json", #"[{"name": 5}]"#)
            await #expect(throws: ExitCode(1)) {
                try await Command.Publish.parse([invalid] + site.options).run()
            }
        }
    }

    @Test("two different names for a document are an error")
    func name() throws {
        let options = try DocumentOptions.parse(["--document", "shop"])
        #expect(try options.document(nil) == "shop" && options.document("shop") == "shop")
        #expect(throws: ExitCode(64)) { try options.document("other") }
    }
}
