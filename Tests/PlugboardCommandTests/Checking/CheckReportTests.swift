import JSONCodec
import Testing

@testable import PlugboardCommand

@Suite("The report of doctor")
struct CheckReportTests {
    private let mixed = CheckReport(
        version: "1.2",
        findings: [
            .ok("clock", "it is noon"),
            .warning("data folder", "it is full", do: "Empty it."),
            .error("port", "it is in use.", do: "Choose another."),
        ]
    )

    private func report(_ findings: Finding...) -> CheckReport {
        CheckReport(version: "1", findings: findings)
    }

    @Test("lines have columns, sentences, and a count at the end")
    func lines() {
        #expect(
            mixed.lines == [
                "ok       clock        it is noon",
                "warning  data folder  it is full. Empty it.",
                "error    port         it is in use. Choose another.",
                "3 checks: 1 ok, 1 warning, 1 error",
            ]
        )
        #expect(report().lines == ["0 checks: 0 ok, 0 warnings, 0 errors"])
    }

    @Test("JSON has the gravest status and each result; only a remedy may be missing")
    func json() throws {
        #expect(mixed.json["status"] == "error")
        #expect(mixed.json["version"] == "1.2")
        let checks = try #require(mixed.json["checks"]?.array)
        #expect(checks.count == 3)
        #expect(checks[0] == ["check": "clock", "status": "ok", "message": "it is noon"])
        #expect(checks[1]["remedy"] == "Empty it.")
        #expect(report().json["status"] == "ok")
    }

    @Test("the exit status is 1 for an error, and 2 for a warning that is strict")
    func exitStatus() {
        let (warned, fine) = (report(.warning("a", "b")), report(.ok("a", "b")))
        #expect(mixed.exitStatus(isStrict: false) == 1)
        #expect(mixed.exitStatus(isStrict: true) == 1)
        #expect(warned.exitStatus(isStrict: false) == 0)
        #expect(warned.exitStatus(isStrict: true) == 2)
        #expect(fine.exitStatus(isStrict: true) == 0)
        #expect(report().exitStatus(isStrict: true) == 0)
    }

    @Test("sizes have their largest unit")
    func sizes() {
        for (bytes, text) in [
            (0, "0 B"), (1023, "1023 B"), (1024, "1 KiB"), (1536, "1.5 KiB"), (98_304, "96 KiB"),
            (64 << 20, "64 MiB"), (3 << 30, "3 GiB"), (5 << 40, "5 TiB"), (1 << 50, "1024 TiB"),
        ] { #expect(ByteCount.text(bytes) == text) }
    }
}
