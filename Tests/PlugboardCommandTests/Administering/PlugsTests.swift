import ArgumentParser
import Plug
import PlugHTTP
import Plugboard
import PlugboardClient
import Testing

@testable import PlugboardCommand

private class Salute: Action<Void, String>, GET { static var path: String { "/salute" } }

@Suite("The command plugs")
struct PlugsTests {
    @Test("a plan is set by name or as JSON, shown, and reset")
    func plans() async throws {
        Salute.named("one") <~ { "one" }
        Salute.named("two") <~ { "two" }
        Salute.self <~ "one"
        try await serving(Server { Salute.self }) { site in
            func plan() async throws -> PlugPlan? {
                try await site.client.send(GetPlug.self, .init(action: "Salute")).plug.plan
            }
            try await Plugs.Set.parse(["Salute", "two"] + site.options).run()
            #expect(try await plan() == .plug("two"))
            let split = #"{"split":{"one":90,"two":10}}"#
            try await Plugs.Set.parse(["Salute", split] + site.options).run()
            #expect(try await plan() != .plug("two"))
            try await Plugs.Show.parse(["Salute"] + site.options).run()
            try await Plugs.List.parse(site.options).run()
            try await Plugs.Reset.parse(["Salute"] + site.options).run()
            #expect(try await plan() == .plug("one"))
        }
    }

    @Test("an invalid plan is status 64, an unknown action or implementation 1")
    func invalid() async throws {
        Salute.named("one") <~ { "one" }
        try await serving(Server { Salute.self }) { site in
            for (arguments, status) in [
                (["Salute", "{"], 64), (["Salute", #"{"splat": {}}"#], 64),
                (["Salute", "three"], 1), (["Unknown", "one"], 1),
            ] as [([String], Int32)] {
                await #expect(throws: ExitCode(status), "\(arguments)") {
                    try await Plugs.Set.parse(arguments + site.options).run()
                }
            }
        }
    }
}
