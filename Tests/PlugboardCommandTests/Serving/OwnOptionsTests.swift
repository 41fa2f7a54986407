import ArgumentParser
import Plugboard
import Settings
import Testing

@testable import PlugboardCommand

private struct Shop: ServerCommand {
    @Option(help: "The greeting.") var greeting = "Hello"
    @Option(help: "A tag.") var tag: [String] = []
    @Option(name: [.long, .short], help: "A size.") var size: Int?
    @Flag(help: "Opens at once.") var open = false
    @Flag(inversion: .prefixedNo, help: "Takes cash.") var cash = true

    func server() -> Server { Server() }
}

private struct Bare: ServerCommand {
    func server() -> Server { Server() }
}

@Suite("The options that a server declares itself")
struct OwnOptionsTests {
    private func settings(
        _ environment: [String: String] = [:],
        _ json: String? = nil
    ) throws -> SettingsReader {
        let file = try json.map { try SettingsFile(name: "a.json", json: $0.utf8) }
        return SettingsReader(environment: environment, file: file)
    }

    private func read(
        _ arguments: [String],
        _ environment: [String: String] = [:],
        _ json: String? = nil
    ) throws -> Shop {
        let own = try OwnOptions<Shop>.parse(arguments).own
        return try OwnOptions.read(own, settings(environment, json), arguments) {
            try OwnOptions<Shop>.parse($0).own
        }
    }

    @Test("each has the form of its value")
    func declared() {
        let options = OwnOptions<Shop>.declared
        #expect(options.map(\.name) == ["greeting", "tag", "size", "open", "cash"])
        #expect(
            options.map(\.form) == [.text, .strings, .text, .bool, .bool]
        )
        #expect(OwnOptions<Bare>.declared.isEmpty)
    }

    @Test("the command line wins over the environment, the environment over the file")
    func precedence() throws {
        let file =
            #"{"greeting": "file", "size": 3, "tag": ["a", "b"], "open": true, "cash": false}"#
        let shop = try read([], [:], file)
        #expect(shop.greeting == "file" && shop.size == 3 && shop.tag == ["a", "b"])
        #expect(shop.open && !shop.cash)
        let environment = ["PLUGBOARD_GREETING": "variable, still", "PLUGBOARD_TAG": "c, d"]
        let other = try read(["--size=5", "--cash"], environment, file)
        #expect(other.greeting == "variable, still" && other.size == 5 && other.tag == ["c", "d"])
        #expect(other.open && other.cash)
        let given = try read(["--tag", "x", "--tag", "y", "--no-cash"], environment, file)
        #expect(given.tag == ["x", "y"] && !given.cash)
    }

    @Test("texts stay as they are, and a short option wins, too")
    func texts() throws {
        let shop = try read(["-s", "5"], ["PLUGBOARD_GREETING": "007", "PLUGBOARD_SIZE": "3"])
        #expect(shop.greeting == "007" && shop.size == 5)
        #expect(try read([], ["PLUGBOARD_GREETING": "-x"]).greeting == "-x")
    }

    @Test("an invalid value names its place")
    func invalid() throws {
        let error = #expect(throws: ValidationError.self) {
            try read([], [:], #"{"size": "large"}"#)
        }
        #expect(error?.message.contains("a.json: /size") == true)
        let variable = #expect(throws: ValidationError.self) {
            try read([], ["PLUGBOARD_SIZE": "large"])
        }
        #expect(variable?.message.contains("PLUGBOARD_SIZE") == true)
    }

    @Test("a value of another form is an error of the settings")
    func form() throws {
        let settings = try settings([:], #"{"tag": 5, "open": "yes"}"#)
        let shop = try OwnOptions<Shop>.parse([]).own
        _ = try OwnOptions<Shop>.read(shop, settings, []) { _ in shop }
        let error = #expect(throws: SettingsError.self) { try settings.check() }
        #expect(
            error?.problems == [
                "a.json: /tag: expected an array of strings, not 5",
                "a.json: /open: expected true or false, not \"yes\"",
            ]
        )
    }
}
