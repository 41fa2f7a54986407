import Testing

@testable import PlugboardCommand

@Suite("The check of the clock")
struct ServerChecksClockTests {
    /// 2026-11-27T12:00:00Z.
    private let now = 1_795_780_800

    @Test("a plausible clock is fine, and names the newest stored change")
    func fine() {
        #expect(
            ServerChecks.clock(now: now, newest: nil)
                == [.ok("clock", "it is 2026-11-27T12:00:00Z")]
        )
        let after = ServerChecks.clock(now: now, newest: now - 60)
        #expect(after.map(\.status) == [.ok])
        #expect(after.first?.message.hasSuffix("change of 2026-11-27T11:59:00Z") == true)
        #expect(ServerChecks.clock(now: now, newest: now + 5).map(\.status) == [.ok])
    }

    @Test("a clock before the version or before the newest change is wrong")
    func behind() throws {
        let old = try #require(ServerChecks.clock(now: 0, newest: nil).first)
        #expect(old.status == .error)
        #expect(old.message.hasPrefix("it is 1970-01-01T00:00:00Z, before this version"))
        let behind = try #require(ServerChecks.clock(now: now, newest: now + 7_300).first)
        #expect(behind.status == .warning)
        #expect(behind.message.contains("2 hours before the newest stored change"))
        #expect(behind.remedy != nil)
        #expect(ServerChecks.clock(now: now, newest: .max).first?.status == .warning)
    }

    @Test("a database's clock may differ by 2 seconds")
    func database() {
        func finding(_ lead: Double) -> Finding { ServerChecks.clock(lead: lead, of: "a/b") }
        #expect(finding(0) == .ok("clock", "a/b has the same time within 2 s"))
        #expect(finding(-2).status == .ok)
        #expect(finding(5.5).message == "a/b is 5 seconds ahead of this machine")
        #expect(finding(-600).message == "a/b is 10 minutes behind this machine")
        #expect(finding(-600).status == .warning)
    }
}
