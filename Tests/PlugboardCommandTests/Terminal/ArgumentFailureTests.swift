import Testing

@testable import PlugboardCommand

@Suite("Texts of invalid arguments")
struct ArgumentFailureTests {
    @Test(
        "the error and one hint are printed, and no usage",
        arguments: [
            (
                "The value 'x' is invalid for '--limit <number>'",
                [
                    "Error: The value 'x' is invalid for '--limit <number>'",
                    "For help: plugboard list --help",
                ]
            ),
            (
                "Missing value for '--message <message>'",
                [
                    "Error: Missing value for '--message <message>'",
                    "If the value begins with a dash, write --message=…  For help: plugboard list --help",
                ]
            ),
            (
                "Unknown option '-x.json'",
                [
                    "Error: Unknown option '-x.json'",
                    "If it is an argument, write -- before it.  For help: plugboard list --help",
                ]
            ),
            (
                "Unknown option '-x.json'. Did you mean '--json'?",
                [
                    "Error: Unknown option '-x.json'. Did you mean '--json'?",
                    "If it is an argument, write -- before it.  For help: plugboard list --help",
                ]
            ),
            (
                "Unknown option '--prot'. Did you mean '--port'?",
                [
                    "Error: Unknown option '--prot'. Did you mean '--port'?",
                    "For help: plugboard list --help",
                ]
            ),
            (
                "Unexpected argument 'publsh'",
                [
                    "Error: Unexpected argument 'publsh'",
                    "Did you mean publish?  For help: plugboard list --help",
                ]
            ),
            (
                "2 unexpected arguments: 'histroy', 'x'",
                [
                    "Error: 2 unexpected arguments: 'histroy', 'x'",
                    "Did you mean history?  For help: plugboard list --help",
                ]
            ),
            (
                "Unexpected argument 'xyz'",
                ["Error: Unexpected argument 'xyz'", "For help: plugboard list --help"]
            ),
            (
                "--port: expected a number\n       --host: expected a name",
                [
                    "Error: --port: expected a number", "       --host: expected a name",
                    "For help: plugboard list --help",
                ]
            ),
        ]
    )
    func lines(_ message: String, _ lines: [String]) {
        let failure = ArgumentFailure(
            message,
            command: "plugboard list",
            subcommands: ["publish", "history"]
        )
        #expect(failure.lines == lines)
    }
}
