import ArgumentParser
import Testing

@testable import PlugboardCommand

@Suite("The command run")
struct RunTests {
    @Test(
        "a URL with a name or a password and an invalid URL are usage errors",
        arguments: [
            "http://ada:s3cret@127.0.0.1:1/behaviors.json", "http://a/b@c", "127.0.0.1", "",
        ]
    )
    func usage(url: String) async throws {
        let command = try Run.parse([url])
        await #expect(throws: ExitCode(64)) { try await command.run() }
    }

    @Test("a failure has the URL without its query")
    func unreachable() async throws {
        let command = try Run.parse(["http://127.0.0.1:1/behaviors.json?token=s3cret"])
        let failure = await #expect(throws: Failure.self) { try await command.run() }
        #expect(failure?.description.hasPrefix("http://127.0.0.1:1/behaviors.json?…: ") == true)
        #expect(failure?.description.contains("s3cret") == false)
    }
}
