import Testing

@testable import BehaviorStore

@Suite("The difference of the clocks")
struct ClockDifferenceTests {
    @Test("only its begin and its end are events")
    func events() {
        var difference = ClockDifference()
        let skews = [0, 1.9, -2, 2.1, 3600, -3600, -2.1, 2, 0, -3]
        let expected: [ClockDifference.Event?] = [
            nil, nil, nil, .began, nil, nil, nil, .ended, nil, .began,
        ]
        #expect(skews.map { difference.update($0) } == expected)
    }

    @Test("its text has the side", arguments: [(3600.4, "3600 s ahead of"), (-5, "5 s behind")])
    func text(_ skew: Double, _ text: String) {
        #expect(ClockDifference.text(skew) == text)
    }
}
