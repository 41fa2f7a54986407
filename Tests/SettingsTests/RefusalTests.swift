import JSONCodec
import Settings
import Testing

@Suite("Setting errors")
struct RefusalTests {
    @Test(
        "a wrong type and a value out of range have JSON Pointer and expected value",
        arguments: [
            (#"{"port": "80"}"#, #"/port: expected a number from 0 to 65535, not "80""#),
            (#"{"port": 65536}"#, "/port: expected a number from 0 to 65535, not 65536"),
            (#"{"port": -1}"#, "/port: expected a number from 0 to 65535, not -1"),
            (#"{"port": 1.5}"#, "/port: expected a number from 0 to 65535, not 1.5"),
            (#"{"port": true}"#, "/port: expected a number from 0 to 65535, not true"),
            (#"{"port": {"a": 1}}"#, "/port: expected a number from 0 to 65535, not an object"),
            (#"{"loops": 0}"#, "/loops: expected a number from 1 to 256, not 0"),
            (#"{"loops": 1e30}"#, "/loops: expected a number from 1 to 256, not 1e30"),
            (#"{"bound": 11}"#, "/bound: expected a number from 1 to 10, not 11"),
            (#"{"host": 80}"#, "/host: expected a string, not 80"),
            (#"{"secure": 1}"#, "/secure: expected true or false, not 1"),
            (#"{"secure": "true"}"#, #"/secure: expected true or false, not "true""#),
            (#"{"plug": "A=B"}"#, #"/plug: expected ACTION=IMPLEMENTATION, not "A=B""#),
            (#"{"plug": ["A=B", 5]}"#, #"/plug: expected ACTION=IMPLEMENTATION, not ["A=B",5]"#),
            (#"{"plug": ["A"]}"#, #"/plug: expected ACTION=IMPLEMENTATION, not ["A"]"#),
            (#"{"log-format": "xml"}"#, #"/log-format: expected "text" or "json", not "xml""#),
            (
                #"{"metrics-port": "on"}"#,
                #"/metrics-port: expected a number from 0 to 65535 or "off", not "on""#
            ),
            (
                #"{"metrics-port": 70000}"#,
                #"/metrics-port: expected a number from 0 to 65535 or "off", not 70000"#
            ),
        ]
    )
    func wrongValue(file: String, said: String) throws {
        #expect(try problems(file: file) == ["a.json: " + said])
    }

    @Test("a secret value is hidden, valid or not")
    func secret() throws {
        let setting = Setting<String?>(
            "database",
            default: nil,
            SettingRule("postgres://…") { $0?.hasPrefix("postgres:") ?? true },
            hides: { _ in true }
        )
        let right = SettingsReader(environment: ["PLUGBOARD_DATABASE": "postgres://a:s3cret@b"])
        #expect(right.value(of: setting) == "postgres://a:s3cret@b")
        try right.check()
        #expect(right.document["database"] == .string("(secret)"))
        let wrong = SettingsReader(environment: ["PLUGBOARD_DATABASE": "mysql://a:s3cret@b"])
        _ = wrong.value(of: setting)
        let error = #expect(throws: SettingsError.self) { try wrong.check() }
        #expect(error?.problems == ["PLUGBOARD_DATABASE: expected postgres://…"])
        let unset = SettingsReader(environment: [:])
        _ = unset.value(of: setting)
        #expect(unset.document["database"] == .null)
    }

    @Test(
        "the placeholder of a secret is an error, unless another source sets the value"
    )
    func hidden() throws {
        let setting = Setting<String?>("jwks", default: nil, hides: { $0 != nil })
        let file = try SettingsFile(name: "a.json", json: #"{"jwks": "(secret)"}"#.utf8)
        let copied = SettingsReader(environment: [:], file: file)
        #expect(copied.value(of: setting) == nil)
        let error = #expect(throws: SettingsError.self) { try copied.check() }
        #expect(
            error?.problems == [
                "a.json: /jwks: (secret) is a placeholder; set the value here or as "
                    + "PLUGBOARD_JWKS"
            ]
        )
        let given = SettingsReader(environment: ["PLUGBOARD_JWKS": "keys.json"], file: file)
        #expect(given.value(of: setting) == "keys.json")
        try given.check()
    }

    @Test("a value is hidden if it may contain a password, and so is an invalid one")
    func partlySecret() throws {
        let setting = Setting<String?>(
            "upstream",
            default: nil,
            SettingRule("a URL without a password") { $0?.contains("@") != true },
            hides: { $0?.contains("?") == true }
        )
        let plain = SettingsReader(environment: ["PLUGBOARD_UPSTREAM": "http://b"])
        _ = plain.value(of: setting)
        #expect(plain.document["upstream"] == .string("http://b"))
        let query = SettingsReader(environment: ["PLUGBOARD_UPSTREAM": "http://b?s3cret"])
        #expect(query.value(of: setting) == "http://b?s3cret")
        try query.check()
        #expect(query.document["upstream"] == .string("(secret)"))
        let file = try SettingsFile(
            name: "a.json",
            json: #"{"upstream": ["http://a:s3cret@b"]}"#.utf8
        )
        let readers = [
            (SettingsReader(environment: [:], file: file), "a.json: /upstream"),
            (
                SettingsReader(environment: ["PLUGBOARD_UPSTREAM": "http://a:s3cret@b"]),
                "PLUGBOARD_UPSTREAM"
            ),
        ]
        for (wrong, place) in readers {
            _ = wrong.value(of: setting)
            #expect(wrong.document["upstream"] == .null)
            let error = #expect(throws: SettingsError.self) { try wrong.check() }
            #expect(error?.problems == ["\(place): expected a URL without a password"])
        }
    }

    @Test("a number or a word is accepted", arguments: ["9464", #""off""#, "0"])
    func numberOrWord(value: String) throws {
        let reader = try reader(file: #"{"metrics-port": \#(value)}"#)
        try reader.check()
        #expect(reader.document["metrics-port"]?.description == value)
    }

    @Test(
        "an unknown key has its pointer and the option that was probably meant",
        arguments: [
            ("prot", "/prot: no such option, perhaps port"),
            ("logFormat", "/logFormat: no such option, perhaps log-format"),
            ("log_format", "/log_format: no such option, perhaps log-format"),
            ("Metrics Port", "/Metrics Port: no such option, perhaps metrics-port"),
            ("colour", "/colour: no such option"),
            ("a/b~c", "/a~1b~0c: no such option"),
            ("", "/: no such option"),
        ]
    )
    func unknownKey(key: String, said: String) throws {
        #expect(try problems(file: #"{"\#(key)": "hunter2"}"#) == ["a.json: " + said])
    }

    @Test("invalid JSON has its line and column")
    func malformed() throws {
        #expect(
            try problems(file: "{\n  \"port\": 80,\n}")
                == ["a.json: line 3, column 1: expected a member's name"]
        )
        #expect(
            try problems(file: #"{"port": 1, "port": 2}"#)
                == ["a.json: line 1, column 13: a member's name is given twice"]
        )
    }

    @Test("JSON other than an object is rejected", arguments: ["[]", "5", "null"])
    func noObject(text: String) throws {
        #expect(try problems(file: text) == ["a.json: expected an object"])
    }

    @Test("an unreadable file has its path and the reason")
    func unreadable() {
        let missing = #expect(throws: SettingsError.self) {
            try SettingsFile(path: "/nowhere/a.json")
        }
        #expect(missing?.problems == ["/nowhere/a.json: No such file or directory"])
        let folder = #expect(throws: SettingsError.self) { try SettingsFile(path: "/") }
        #expect(folder?.problems == ["/: Is a directory"])
        let endless = #expect(throws: SettingsError.self) { try SettingsFile(path: "/dev/zero") }
        #expect(endless?.problems == ["/dev/zero: larger than 1 MiB"])
    }

    @Test("variables and flags have the same checks, under their own names")
    func places() throws {
        #expect(
            try problems(environment: ["PLUGBOARD_PORT": "x"])
                == [#"PLUGBOARD_PORT: expected a number from 0 to 65535, not "x""#]
        )
        #expect(
            try problems(flags: ["log-format": ["a\u{1B}[31m"]])
                == [#"--log-format: expected "text" or "json", not "a\u001b[31m""#]
        )
    }

    @Test("all problems are reported at once, and unread settings aren't checked")
    func together() throws {
        let problems = try problems(
            environment: ["PLUGBOARD_LOOPS": "0"],
            file: #"{"prot": 1, "loops": "ignored", "secure": 5}"#,
            flags: ["port": ["x"]]
        )
        #expect(
            problems == [
                #"--port: expected a number from 0 to 65535, not "x""#,
                #"PLUGBOARD_LOOPS: expected a number from 1 to 256, not "0""#,
                "a.json: /secure: expected true or false, not 5",
                "a.json: /prot: no such option, perhaps port",
            ]
        )
    }

    @Test("an unrelated file's first keys are reported, truncated and without control characters")
    func manyUnknownKeys() throws {
        let keys = (0..<5000).map { #""k\u001b\#($0)\#(String(repeating: "x", count: 200))": 1"# }
        let told = try problems(file: "{\(keys.joined(separator: ","))}")
        #expect(told.count == 21)
        #expect(told.first?.hasPrefix("a.json: /k0xxx") == true)
        #expect(told.allSatisfy { $0.utf8.count < 150 })
        #expect(told.last == "… and 4980 more unknown options")
    }

    @Test("settings that conflict are reported with their source")
    func reject() throws {
        let reader = try reader(file: #"{"host": "a"}"#)
        reader.reject("host", "needs --port, too")
        reader.reject("port", "needs --host, too")
        let error = #expect(throws: SettingsError.self) { try reader.check() }
        #expect(
            error?.problems == ["a.json: /host: needs --port, too", "--port: needs --host, too"]
        )
    }

    @Test(
        "an option of a server's own with another form is rejected",
        arguments: [
            (
                #"{"own": 5}"#, SettingForm.strings,
                "a.json: /own: expected an array of strings, not 5"
            ),
            (
                #"{"own": true}"#, .numberOrString,
                "a.json: /own: expected a number or a string, not true"
            ),
            (#"{"own": "x"}"#, .bool, #"a.json: /own: expected true or false, not "x""#),
        ]
    )
    func ownOptions(file: String, form: SettingForm, said: String) throws {
        let reader = SettingsReader(
            environment: [:],
            file: try SettingsFile(name: "a.json", json: file.utf8)
        )
        #expect(reader.arguments(of: [("own", form)], given: [:]).isEmpty)
        let error = #expect(throws: SettingsError.self) { try reader.check() }
        #expect(error?.problems == [said])
    }
}
