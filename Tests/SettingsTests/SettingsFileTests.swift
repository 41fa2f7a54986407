import Settings
import Testing

@Suite("A file of settings")
struct SettingsFileTests {
    @Test("a byte sequence that isn't UTF-8 is invalid JSON (RFC 8259 §8.1)")
    func encoding() {
        let error = #expect(throws: SettingsError.self) {
            try SettingsFile(name: "a.json", json: Array("{\"".utf8) + [0xFF])
        }
        #expect(error?.problems.first?.hasPrefix("a.json: line 1, column ") == true)
    }

    @Test("an empty file is invalid")
    func empty() {
        #expect(throws: SettingsError.self) {
            try SettingsFile(name: "a.json", json: [] as [UInt8])
        }
    }

    @Test("an empty object sets nothing")
    func emptyObject() throws {
        let reader = try reader(file: "{}")
        #expect(reader.entries.allSatisfy { $0.place == nil })
        try reader.check()
    }

    @Test("types are strict: a text isn't a number, a number neither a flag nor a text")
    func types() throws {
        #expect(try problems(file: #"{"port": "80"}"#).count == 1)
        #expect(try problems(file: #"{"secure": 0}"#).count == 1)
        #expect(try problems(file: #"{"host": 5}"#).count == 1)
        #expect(try problems(file: #"{"plug": ["a=b", null]}"#).count == 1)
    }

    @Test("null counts as absent, for each type")
    func null() throws {
        let names = ["host", "port", "loops", "bound", "secure", "plug", "log-format"]
        let file = "{\(names.map { "\"\($0)\": null" }.joined(separator: ","))}"
        #expect(try problems(file: file).isEmpty)
    }
}
