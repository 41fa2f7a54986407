import Testing

@testable import PlugboardCommand

@Suite("The command token")
struct TokenTests {
    @Test(
        "a lifetime is a number with a unit",
        arguments: [
            ("90s", 90), ("15m", 900), ("12h", 43_200), ("30d", 2_592_000), ("1w", 604_800),
        ]
    )
    func lifetime(text: String, seconds: Int) {
        #expect(Token.seconds(text) == seconds)
    }

    @Test(
        "other texts are rejected",
        arguments: [
            "", "s", "0s", "-1s", "30", "30 d", "d30", "1y", "1.5h", "9223372036854775807w", "１d",
        ]
    )
    func invalid(text: String) {
        #expect(Token.seconds(text) == nil)
    }

    @Test("each subcommand has the option for the data folder")
    func options() throws {
        #expect(try Token.List.parse(["--data", "d"]).options.data == "d")
        #expect(try Token.Revoke.parse(["1", "--data", "d"]).options.data == "d")
        let create = try Token.Create.parse(["--scope", "a", "--scope", "b", "--expires", "1d"])
        #expect(create.scope == ["a", "b"] && create.expires == "1d" && create.options.data == nil)
        #expect(throws: (any Error).self) { try Token.Create.parse([]) }
    }
}
