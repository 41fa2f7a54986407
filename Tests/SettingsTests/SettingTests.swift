import Settings
import Testing

@Suite("A setting's declaration")
struct SettingTests {
    @Test("the default's text is its value, unless the declaration has another")
    func defaultText() {
        #expect(Options.loops.defaultText == "2")
        #expect(Options.bound.defaultText == "no bound")
        #expect(Options.metrics.defaultText.isEmpty)
        #expect(Options.plugs.defaultText.isEmpty)
        #expect(Setting("list", default: ["a", "b"]).defaultText == "a,b")
        #expect(Setting("flag", default: true).defaultText == "true")
        #expect(Setting<Int?>("limit", default: 3).defaultText == "3")
    }

    @Test("a range accepts its limits", arguments: [1, 256])
    func inRange(value: Int) throws {
        #expect(try problems(flags: ["loops": ["\(value)"]]).isEmpty)
    }

    @Test(
        "a range rejects values outside of it and other texts",
        arguments: ["0", "257", "-1", "", "1x"]
    )
    func outOfRange(text: String) throws {
        #expect(
            try problems(flags: ["loops": [text]]) == [
                "--loops: expected a number from 1 to 256, not \"\(text)\""
            ]
        )
    }

    @Test("an optional number has the same range")
    func optionalRange() throws {
        #expect(try problems(flags: ["bound": ["10"]]).isEmpty)
        #expect(
            try problems(flags: ["bound": ["11"]])
                == ["--bound: expected a number from 1 to 10, not \"11\""]
        )
    }

    @Test("a rule describes the expected value")
    func expected() {
        #expect(Options.loops.rule.expected() == "a number from 1 to 256")
        #expect(Options.bound.rule.expected() == "a number from 1 to 10")
        #expect(Options.format.rule.expected() == "\"text\" or \"json\"")
        #expect(Options.port.rule.expected() == "a number from 0 to 65535")
    }
}
