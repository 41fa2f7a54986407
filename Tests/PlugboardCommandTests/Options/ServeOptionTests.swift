import ArgumentParser
import Settings
import Testing

@testable import PlugboardCommand

@Suite("An option's declaration")
struct ServeOptionTests {
    private let loops = ServeOption("loops", \.server.loops, .range(1...4), help: "Loops.")

    @Test("its names and default follow from the declaration")
    func names() {
        #expect(loops.flag == "--loops" && loops.variable == "PLUGBOARD_LOOPS")
        #expect(loops.form == .number && loops.expected() == "a number from 1 to 4")
        #expect(loops.defaultText == "\(ServeValues.standard.server.loops)")
        #expect(loops.help.abstract == "Loops. (default: \(loops.defaultText))")
        let flag = ServeOption("dev-tls", \.tls.isDevelopment, help: "TLS.")
        #expect(flag.form == .bool && flag.help.abstract == "TLS.")
    }

    @Test("its value is stored; without one the current value stays")
    func read() throws {
        var values = ServeValues.standard
        values.server.loops = 3
        let settings = SettingsReader(environment: [:])
        loops.read(settings, nil, &values)
        #expect(values.server.loops == 3)
        loops.read(settings, ["2"], &values)
        #expect(values.server.loops == 2)
        try settings.check()
        loops.read(settings, ["5"], &values)
        #expect(throws: SettingsError.self) { try settings.check() }
    }
}
