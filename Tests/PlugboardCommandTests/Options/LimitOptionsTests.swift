import PlugHTTP
import Plugboard
import Settings
import Testing

@testable import PlugboardCommand

@Suite("The options for limits")
struct LimitOptionsTests {
    @Test("a threshold is off, 0 or a number", arguments: [("off", nil), ("0", nil), ("7", 7)])
    func threshold(text: String, bytes: Int?) throws {
        let read = try configuration(["--compression-threshold", text])
        #expect(read.compressionThreshold == bytes)
    }

    @Test("other thresholds are rejected", arguments: ["-1", " ", "1k", "on"])
    func invalidThreshold(text: String) throws {
        #expect(
            try problems(["--compression-threshold=\(text)"]) == [
                "--compression-threshold: expected a number of bytes or \"off\", not \"\(text)\""
            ]
        )
    }

    @Test("a rate limit counts per minute; without the option the server's own applies")
    func rate() throws {
        #expect(try configuration(["--rate-limit", "60"]).rateLimit == .perMinute(60))
        var own = Server.Configuration()
        own.rateLimit = .perSecond(3)
        #expect(try configuration([], into: own).rateLimit == .perSecond(3))
    }

    @Test("each number has a lower and an upper limit")
    func ranges() throws {
        for option in LimitOptions.options where option.form == .number {
            // Only a delay may be nothing.
            let lowest = option.flag == "--drain-delay" ? 0 : 1
            for text in ["\(lowest - 1)", "-1", "9223372036854775807"] {
                let problems = try problems(["\(option.flag)=\(text)"])
                #expect(problems.count == 1, "\(option.flag)=\(text)")
                #expect(
                    problems.first?.hasPrefix("\(option.flag): expected a number from \(lowest) ")
                        == true
                )
            }
            #expect(try problems(["\(option.flag)=1"]).isEmpty, "\(option.flag)")
        }
    }

    @Test("a flag's opposite turns it off")
    func upgrades() throws {
        #expect(try configuration([]).acceptsUpgrades)
        #expect(try !configuration(["--no-h2c-upgrade"]).acceptsUpgrades)
        let off = ["PLUGBOARD_H2C_UPGRADE": "no"]
        #expect(try !configuration([], environment: off).acceptsUpgrades)
        #expect(try configuration(["--h2c-upgrade"], environment: off).acceptsUpgrades)
    }
}
