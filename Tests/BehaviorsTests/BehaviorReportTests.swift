import Behaviors
import Testing

@Suite("A behavior's report")
struct BehaviorReportTests {
    @Test("preserves every skip reason through encoding and decoding")
    func roundTrip() throws {
        let reasons: [SkipReason] = [
            .noSuchModule, .noSuchFunction, .valueMissing, .valueUnexpected, .cancelled,
            .threw("no luck"), .wrongValue(pointer: "/a", message: "missing"), .ruleNotEvaluated,
            .quarantined,
        ]
        let report = BehaviorReport(
            performed: [BehaviorReport.Call(module: "A", function: "f")],
            skipped: reasons.map {
                BehaviorReport.Skip(module: "A", function: nil, pointer: "/0", reason: $0)
            }
        )
        #expect(report.failed.map(\.reason) == [.threw("no luck")])
        let bytes = try JSON.encode(report)
        #expect(try JSON.decode(BehaviorReport.self, from: bytes) == report)
        #expect(
            try JSON(parsing: bytes)["skipped"]?[6]?["reason"]
                == ["code": "wrongValue", "message": "missing", "pointer": "/a"]
        )
    }
}
