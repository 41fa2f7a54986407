import JSONCodec
import Settings
import Testing

@Suite("Precedence of settings")
struct SettingsReaderTests {
    private let environment = ["PLUGBOARD_PORT": "2"]
    private let file = #"{"port": 3}"#

    private func expect(_ reader: SettingsReader, _ value: JSON, from place: String?) {
        let entry = reader.entries.first { $0.name == "port" }
        #expect(entry?.value == value)
        #expect(entry?.place == place)
    }

    @Test("the command line overrides environment and file")
    func flag() throws {
        let reader = try reader(environment: environment, file: file, flags: ["port": ["1"]])
        expect(reader, 1, from: "--port")
    }

    @Test("the environment overrides the file")
    func variable() throws {
        let reader = try reader(environment: environment, file: file)
        expect(reader, 2, from: "PLUGBOARD_PORT")
    }

    @Test("the file overrides the default")
    func fileFirst() throws {
        let reader = try reader(file: file)
        expect(reader, 3, from: "a.json: /port")
    }

    @Test("the default applies if nothing else is set")
    func fallback() throws {
        expect(try reader(), 8080, from: nil)
    }

    @Test("an empty variable and a null count as absent")
    func nothing() throws {
        let reader = try reader(environment: ["PLUGBOARD_PORT": ""], file: #"{"port": null}"#)
        expect(reader, 8080, from: nil)
        try reader.check()
    }

    @Test("a flag can revert the file's value")
    func flagTakesBack() throws {
        let reader = try reader(file: #"{"secure": true}"#, flags: ["secure": ["false"]])
        #expect(reader.document["secure"] == false)
    }

    @Test("dashes become underscores in the environment")
    func variableName() throws {
        let reader = try reader(environment: ["PLUGBOARD_LOG_FORMAT": "json"])
        #expect(reader.document["log-format"] == "json")
        #expect(SettingsReader.variable("log-format") == "PLUGBOARD_LOG_FORMAT")
    }

    @Test("a list in a variable is separated by commas")
    func list() throws {
        let reader = try reader(environment: ["PLUGBOARD_PLUG": "A=B,C=D"], file: #"{"plug": []}"#)
        #expect(reader.document["plug"] == ["A=B", "C=D"])
    }

    @Test("a list on the command line replaces the file's")
    func listsDoNotAdd() throws {
        let reader = try reader(file: #"{"plug": ["A=B"]}"#, flags: ["plug": ["C=D"]])
        #expect(reader.document["plug"] == ["C=D"])
    }

    @Test("the effective settings are a valid file with the same values")
    func roundTrip() throws {
        let first = try reader(
            environment: ["PLUGBOARD_METRICS_PORT": "off", "PLUGBOARD_BOUND": "7"],
            file: #"{"plug": ["A=B"], "secure": true, "host": "a \"quoted\" host"}"#
        )
        let second = try reader(file: first.document.description)
        #expect(second.document == first.document)
        try second.check()
        #expect(first.document["bound"] == 7)
        #expect(first.document["metrics-port"] == "off")
    }

    @Test("the defaults are a valid file with the same values")
    func defaultsRoundTrip() throws {
        let first = try reader()
        let second = try reader(file: first.document.description)
        #expect(second.document == first.document)
        #expect(first.document["bound"] == .null)
        try second.check()
    }

    @Test("a server's own options can be set by the environment and the file")
    func ownOptions() throws {
        let file = try SettingsFile(
            name: "a.json",
            json:
                #"{"plug": ["A=B", "C=D"], "upstream": "http://f", "size": 3, "quick": true, "slow": false}"#
                .utf8
        )
        let environment = ["PLUGBOARD_UPSTREAM": "http://e,f", "PLUGBOARD_TAG": "a, b"]
        let reader = SettingsReader(environment: environment, file: file)
        let options: [(String, SettingForm)] = [
            ("plug", .strings), ("upstream", .text), ("size", .text),
            ("quick", .bool), ("slow", .bool), ("tag", .strings), ("absent", .text),
        ]
        let arguments = reader.arguments(of: options, given: ["size": ["4"]])
        #expect(
            arguments == [
                "--plug=A=B", "--plug=C=D", "--upstream=http://e,f", "--quick",
                "--no-slow", "--tag=a", "--tag=b",
            ]
        )
        try reader.check()
        #expect(
            reader.entries.map(\.place) == [
                "a.json: /plug", "PLUGBOARD_UPSTREAM", "--size", "a.json: /quick", "a.json: /slow",
                "PLUGBOARD_TAG",
                nil,
            ]
        )
        #expect(reader.document["plug"] == ["A=B", "C=D"] && reader.document["size"] == "4")
        #expect(reader.document["quick"] == true && reader.document["absent"] == .null)
    }

    @Test("a server's own default replaces the setting's")
    func ownDefaults() throws {
        let reader = SettingsReader(environment: ["PLUGBOARD_HOST": "e"])
        #expect(reader.value(of: Options.port, default: 9000) == 9000)
        #expect(reader.value(of: Options.port, default: 9000, given: ["1"]) == 1)
        #expect(reader.value(of: Options.host, default: "base") == "e")
    }
}
