import SeededNumbers
import Testing

@testable import BehaviorClient

@Suite("A run's mark")
struct RunMarkTests {
    static let whole = RunMark(
        run: 7,
        phase: .applying,
        isForeground: true,
        applied: AppliedDocument(newest: "n", revision: "r", source: .previous),
        call: ModuleCall(module: "Módulo", function: "open:\n")
    )

    @Test("is the same after it was written and read", arguments: RunMark.Phase.allCases)
    func roundTrip(phase: RunMark.Phase) {
        var mark = Self.whole
        mark.phase = phase
        #expect(RunMark(bytes: mark.bytes) == mark)
        mark.applied = nil
        mark.isForeground = false
        #expect(RunMark(bytes: mark.bytes) == mark)
        mark.call = nil
        #expect(RunMark(bytes: mark.bytes) == mark)
    }

    @Test("is nothing if it is cut, longer, or random")
    func garbage() {
        let bytes = Self.whole.bytes
        for count in 0..<bytes.count { #expect(RunMark(bytes: bytes.prefix(count)) == nil) }
        #expect(RunMark(bytes: bytes + [0]) == nil)
        var numbers = SeededNumbers(seed: 1)
        for _ in 0..<10_000 {
            let random = (0..<Int.random(in: 0..<64, using: &numbers)).map { _ in
                UInt8.random(in: .min ... .max, using: &numbers)
            }
            _ = RunMark(bytes: random)
        }
    }

    @Test("fits into one page, whatever the names are")
    func size() {
        var mark = Self.whole
        let long = String(repeating: "é", count: 5_000)
        mark.call = ModuleCall(module: long, function: long)
        mark.applied = AppliedDocument(newest: long, revision: long, source: .nothing)
        #expect(mark.bytes.count + CheckedBytes.headSize < 4_096)
        #expect(RunMark(bytes: mark.bytes)?.call?.module.hasPrefix("éé") == true)
    }
}
