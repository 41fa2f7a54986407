import Testing

@testable import PlugboardCommand

@Suite("Times as people give them")
struct GivenTimeTests {
    /// A zone like Riga's in 2026: summer time from March 29 to October 25, 01:00 UTC.
    private static let riga = LocalZone(name: "Europe/Riga") {
        (1_774_746_000..<1_792_890_000).contains($0) ? 10_800 : 7_200
    }
    private static let now = 1_796_000_000

    private func seconds(_ text: String, in zone: LocalZone = riga) throws -> Int {
        try GivenTime(text, now: Self.now, in: zone).seconds
    }

    private func error(_ text: String, in zone: LocalZone = riga) -> String? {
        do throws(GivenTime.Invalid) {
            _ = try GivenTime(text, now: Self.now, in: zone)
            return nil
        } catch { return error.description }
    }

    @Test(
        "a duration counts from now",
        arguments: [
            ("+30s", 30), ("+90m", 5_400), ("+2h", 7_200), ("+1h30m", 5_400), ("+3d", 259_200),
            ("+1w", 604_800),
        ]
    )
    func duration(text: String, seconds: Int) throws {
        #expect(try self.seconds(text) == Self.now + seconds)
    }

    @Test(
        "a time has an offset, a zone, or the machine's zone",
        arguments: [
            ("2026-12-01T07:00:00Z", 1_796_108_400), ("2026-12-01T09:00:00+02:00", 1_796_108_400),
            ("2026-12-01T09:00+02:00", 1_796_108_400), ("2026-12-01 09:00 +02:00", 1_796_108_400),
            ("2026-12-01T09:00", 1_796_108_400), ("2026-12-01 09:00:00", 1_796_108_400),
            ("2026-12-01T07:00Z", 1_796_108_400), ("2026-12-01T07:00:00.5Z", 1_796_108_401),
            ("2026-07-01T10:00", 1_782_889_200),
        ]
    )
    func time(text: String, seconds: Int) throws {
        #expect(try self.seconds(text) == seconds)
    }

    @Test("an hour that the clocks skip or repeat is rejected with the ways to say it")
    func changes() {
        #expect(
            error("2026-03-29T03:30")
                == "2026-03-29T03:30:00 doesn't exist in Europe/Riga: its clocks skip it; give an "
                + "offset, such as 2026-03-29T03:30:00+02:00"
        )
        #expect(
            error("2026-10-25T03:30")
                == "2026-10-25T03:30:00 occurs twice in Europe/Riga: give "
                + "2026-10-25T03:30:00+03:00 or 2026-10-25T03:30:00+02:00"
        )
        #expect(error("2026-03-29T02:59") == nil && error("2026-03-29T04:00") == nil)
        #expect(error("2026-10-25T02:59") == nil && error("2026-10-25T04:00") == nil)
    }

    @Test(
        "another text is no time",
        arguments: [
            "", "+", "+2", "+0s", "+2x", "+-2h", "-2h", "+h", "+٢h", "+99999999999999999999h",
            "+9999999999w", "tomorrow", "2026-12-01", "2026-12-01T", "2026-12-01T9:00",
            "2026-13-01T09:00", "2026-02-29T09:00", "2026-12-01T24:00", "2026-12-01T09:60",
            "2026-12-01X09:00", "2026-12-01T09:00:",
        ]
    )
    func invalid(text: String) {
        #expect(error(text)?.contains("is no time: give +90m") == true)
    }

    @Test(
        "an unknown zone is rejected, and no path leaves the database",
        arguments: ["Europe/Rgia", "../../etc/passwd", "/etc/localtime", "[", "Europe", "Mars"]
    )
    func zone(name: String) {
        #expect(
            error("2026-12-01T09:00 \(name)")
                == "this machine knows no time zone \"\(name)\": give an offset such as +02:00"
        )
    }

    /// Whether the machine has a database of zones.
    private static let hasZones = (try? LocalZone(named: "Europe/Riga")) != nil

    @Test("a zone of the machine's database has its offset", .enabled(if: GivenTimeTests.hasZones))
    func named() throws {
        let zone = try LocalZone(named: "Europe/Riga")
        #expect(zone.offset(1_796_108_400) == 7_200 && zone.offset(1_782_889_200) == 10_800)
        #expect(try seconds("2026-12-01T09:00 Europe/Riga") == 1_796_108_400)
        #expect(try seconds("2026-12-01T09:00[Europe/Riga]") == 1_796_108_400)
    }
}
