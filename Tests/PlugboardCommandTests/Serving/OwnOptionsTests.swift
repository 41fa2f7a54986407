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

/// More options than the parser's usage names.
private struct Warehouse: ServerCommand {
    @Option(help: "1.") var first: String?
    @Option(help: "2.") var second: String?
    @Option(help: "3.") var third: String?
    @Option(help: "4.") var fourth: String?
    @Option(help: "5.") var fifth: String?
    @Option(help: "6.") var sixth: String?
    @Option(help: "7.") var seventh: String?
    @Option(help: "8.") var eighth: String?
    @Option(help: "9.") var ninth: String?
    @Option(help: "10.") var tenth: String?
    @Option(help: "11.") var eleventh: String?
    @Option(help: "12.") var twelfth: [String] = []
    @Flag(help: "13.") var thirteenth = false

    func server() -> Server { Server() }
}

/// Its option has the name of one of serve's.
private struct Clash: ServerCommand {
    @Option(help: "A port.") var port: Int?

    func server() -> Server { Server() }
}

/// Its options are named like two of serve's, though its properties aren't.
private struct HiddenClash: ServerCommand {
    @Option(name: .customLong("body-limit"), help: "A limit.") var limit: Int?
    @Flag(name: .customLong("no-dev-tls"), help: "No TLS.") var plain = false
    @Option(name: .customLong("listen-port"), help: "Another port.") var port: Int?

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

    @Test("each has the form of its value's type")
    func declared() {
        let options = OwnOptions<Shop>.declared
        #expect(options.map(\.name) == ["greeting", "tag", "size", "open", "cash"])
        #expect(options.map(\.form) == [.text, .strings, .text, .bool, .bool])
        #expect(options.map(\.hasInversion) == [false, false, false, false, true])
        #expect(OwnOptions<Bare>.declared.isEmpty)
    }

    @Test("more than 12 are supported")
    func many() throws {
        let options = OwnOptions<Warehouse>.declared
        #expect(options.count == 13 && options.first?.name == "first")
        #expect(options.suffix(2).map(\.form) == [.strings, .bool])
        let own = try OwnOptions<Warehouse>.parse([]).own
        let settings = try settings(["PLUGBOARD_THIRTEENTH": "yes", "PLUGBOARD_TWELFTH": "a,b"])
        let read = try OwnOptions<Warehouse>.read(own, settings, []) {
            try OwnOptions<Warehouse>.parse($0).own
        }
        #expect(read.thirteenth && read.twelfth == ["a", "b"])
    }

    @Test("a flag without an inversion ignores false")
    func uninverted() throws {
        #expect(try !read([], ["PLUGBOARD_OPEN": "false"]).open)
        #expect(try !read([], ["PLUGBOARD_CASH": "false"]).cash)
    }

    @Test("the name of an option of serve is rejected")
    func reserved() throws {
        let declared = OwnOptions<Clash>.declared
        let error = #expect(throws: ValidationError.self) {
            try OwnOptions<Clash>.rejectReservedNames(of: declared)
        }
        #expect(
            error?.message
                == "--port: Clash declares an option that all servers have: rename its own"
        )
        let hidden = #expect(throws: ValidationError.self) {
            try OwnOptions<HiddenClash>.rejectReservedNames(of: OwnOptions<HiddenClash>.declared)
        }
        #expect(hidden?.message.hasPrefix("--body-limit, --no-dev-tls: HiddenClash ") == true)
        #expect(throws: Never.self) {
            try OwnOptions<Shop>.rejectReservedNames(of: OwnOptions<Shop>.declared)
        }
    }

    // The parser checks names in debug builds only.
    @Test("a start without any option rejects the name, too")
    func reservedAtStart() throws {
        let own = try OwnOptions<Clash>.parse([]).own
        #expect(throws: ValidationError.self) {
            try ServerSetup(own, config: nil, given: [:]) { _ in own }
        }
    }

    @Test("the names are compared only if a property or the command line suggests a conflict")
    func mayConflict() {
        #expect(OwnOptions<Clash>.mayConflict([], [:]))
        #expect(!OwnOptions<Shop>.mayConflict(["--greeting", "x", "--port", "1"], ["port": ["1"]]))
        #expect(OwnOptions<HiddenClash>.mayConflict(["--body-limit=1"], [:]))
        #expect(OwnOptions<Shop>.mayConflict(["--no-dev-tls"], [:]))
        #expect(!OwnOptions<Bare>.mayConflict(["--port", "1"], [:]))
    }

    @Test("the command line overrides the environment, and the environment the file")
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

    @Test("texts stay unchanged, and a short option overrides the environment")
    func texts() throws {
        let shop = try read(["-s", "5"], ["PLUGBOARD_GREETING": "007", "PLUGBOARD_SIZE": "3"])
        #expect(shop.greeting == "007" && shop.size == 5)
        #expect(try read([], ["PLUGBOARD_GREETING": "-x"]).greeting == "-x")
    }

    @Test("an error for an invalid value has its source")
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

    @Test("a value of the wrong type is an error of the settings")
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
