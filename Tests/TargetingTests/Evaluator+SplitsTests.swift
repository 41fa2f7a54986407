import Testing

@testable import Targeting

@Suite("Rules: splits")
struct EvaluatorSplitsTests {
    @Test("fractional takes a bucketing key, or the rule's key and the targeting key")
    func splits() throws {
        // Of 2³² the hash of "Banner/showada" is 0.079555…, "ada" 0.436393…, "London" 0.244707…,
        // "seedada" 0.783901….
        try EvaluatorTests.expect(
            #"""
            {"fractional": [["a"], ["b", null], ["c", 1]]} → "a"
            {"fractional": [{"var": "targetingKey"}, ["a", 1], ["b", 0]]} → "a"
            {"fractional": [{"var": "absent"}, ["a", 100], ["b", -5]]} → "a"
            {"fractional": [[{"cat": ["va", "lue"]}, 1]]} → "value"
            {"fractional": [[{"var": "address.city"}, {"var": "age"}]]} → "London"
            {"fractional": [{"merge": [["x"], 3]}, {"merge": ["y", 0]}]} → "x"
            {"fractional": [["a", {"if": [{"var": "yes"}, 0, 1]}], ["b", 2]]} → "b"
            {"fractional": [[false, 0], [true, 100]]} → true
            {"fractional": ["seed", [null, 1]]} → null
            {"fractional": [{"var": "targetingKey"}, ["a", 43], ["b", 57]]} → "b"
            {"fractional": [{"var": "targetingKey"}, ["a", 44], ["b", 56]]} → "a"
            {"fractional": [{"cat": ["seed", {"var": "targetingKey"}]}, ["a", 7], ["b", 2]]} → "b"
            {"fractional": [{"cat": ["seed", {"var": "targetingKey"}]}, ["a", 8], ["b", 2]]} → "a"
            {"rollout": 7.955} → false
            {"rollout": 7.956} → true
            {"rollout": [{"var": "address.city"}, 24.47]} → false
            {"rollout": [{"var": "address.city"}, 24.471]} → true
            {"rollout": [{"cat": ["seed", {"var": "targetingKey"}]}, 78.39]} → false
            {"rollout": [{"cat": ["seed", {"var": "targetingKey"}]}, 78.391]} → true
            {"rollout": 0} → false
            {"rollout": 100} → true
            {"rollout": [{"var": "address.city"}, 100]} → true
            {"rollout": [{"var": "absent"}, 100]} → true
            {"rollout": [{"cat": ["seed", {"var": "targetingKey"}]}, 100]} → true
            """#
        )
    }
}
