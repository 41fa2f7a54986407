import ArgumentParser
import Plug
import PlugHTTP
import Plugboard
import Testing

@testable import PlugboardCommand

private class Double: Action<Double.Input, Int>, GET {
    struct Input: Codable, Sendable { var of: Int }
    static var path: String { "/double" }
}

@Suite("The command call")
struct CallTests {
    @Test("an action is called by its name; a rejected call is status 1, an invalid input 64")
    func call() async throws {
        Double.self <~ { $0.of * 2 }
        try await serving(Server { Double.self }) { site in
            try await Call.parse(["Double", #"{"of": 21}"#] + site.options).run()
            try await Call.parse(["Liveness"] + site.options).run()
            for (arguments, status) in [
                (["Double"], 1), (["Double", #"{"of": "x"}"#], 1), (["Unknown"], 1),
                (["Double", "{"], 64),
            ] as [([String], Int32)] {
                await #expect(throws: ExitCode(status), "\(arguments)") {
                    try await Call.parse(arguments + site.options).run()
                }
            }
        }
    }
}
