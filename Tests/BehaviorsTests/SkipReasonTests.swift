import Behaviors
import Testing

@Suite("Reasons to skip an action")
struct SkipReasonTests {
    @Test("describes each skip reason in words")
    func words() {
        #expect("\(SkipReason.threw("no luck"))" == "it threw: no luck")
        #expect(
            "\(SkipReason.wrongValue(pointer: "/a", message: "missing"))"
                == "wrong value at /a: missing"
        )
        #expect(
            "\(SkipReason.wrongValue(pointer: "", message: "expected a string"))"
                == "wrong value: expected a string"
        )
        #expect("\(SkipReason.valueMissing)" == "the value is missing")
        #expect("\(SkipReason.valueUnexpected)" == "the function accepts no value")
        #expect(
            "\(SkipReason.noSuchModule), \(SkipReason.noSuchFunction)"
                == "no such module, no such function"
        )
        #expect("\(SkipReason.cancelled)" == "cancelled")
        #expect(
            "\(SkipReason.ruleNotEvaluated)"
                == "its rule (when) isn't evaluated: use TargetedBehavior"
        )
        #expect("\(SkipReason.quarantined)" == "the module is quarantined after crashes")
    }
}
