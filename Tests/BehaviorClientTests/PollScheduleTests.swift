import Testing

@testable import BehaviorClient

@Suite("The schedule of fetches")
struct PollScheduleTests {
    @Test("waits the interval after successes, not in step with other clients")
    func success() {
        var schedule = PollSchedule(interval: .seconds(100))
        #expect(schedule.delayAfterSuccess(random: 0) == .seconds(90))
        #expect(schedule.delayAfterSuccess(random: 1) == .seconds(110))
    }

    @Test("waits longer after each failure, up to an hour, and as the server demands")
    func failures() {
        var schedule = PollSchedule(interval: .seconds(100))
        let delays = (0..<8).map { _ in schedule.delayAfterFailure(retryAfter: nil, random: 1) }
        #expect(
            delays == [200, 400, 800, 1_600, 3_200, 3_600, 3_600, 3_600].map { .seconds($0) }
        )
        #expect(schedule.delayAfterFailure(retryAfter: nil, random: 0) == .seconds(50))
        #expect(
            schedule.delayAfterFailure(retryAfter: .seconds(9_000), random: 0) == .seconds(9_000)
        )
        #expect(schedule.delayAfterSuccess(random: 0.5) == .seconds(100))
        #expect(schedule.delayAfterFailure(retryAfter: nil, random: 1) == .seconds(200))
    }

    @Test("has an interval between a second and a day")
    func limits() {
        #expect(PollSchedule(interval: .zero).interval == .seconds(1))
        #expect(PollSchedule(interval: .seconds(1 << 40)).interval == .seconds(86_400))
        var long = PollSchedule(interval: .seconds(86_400))
        for _ in 0..<100 {
            #expect(long.delayAfterFailure(retryAfter: nil, random: 1) == .seconds(86_400))
        }
    }
}
