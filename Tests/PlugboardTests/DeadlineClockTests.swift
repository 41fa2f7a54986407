import Locking
import Testing

@testable import Plugboard

@Suite("The clock of long timeouts", .timeLimit(.minutes(1)))
struct DeadlineClockTests {
    @Test("an entry expires when it is due, also after the clock has paused")
    func due() async {
        let clock = DeadlineClock()
        for _ in 0..<2 {
            let ended = Gate()
            let entry = clock.add(.milliseconds(1)) { ended.open() }
            await ended.pass()
            clock.remove(entry)
        }
    }

    @Test("a removed entry doesn't expire, nor does one that isn't due")
    func removed() async {
        let clock = DeadlineClock()
        let expired = Locked<[String]>([])
        let ended = Gate()
        let removed = clock.add(.zero) { expired.withLock { $0.append("removed") } }
        clock.remove(removed)
        let later = clock.add(.seconds(3600)) { expired.withLock { $0.append("later") } }
        _ = clock.add(.milliseconds(150)) { ended.open() }
        await ended.pass()
        clock.remove(later)
        clock.remove(later)
        #expect(expired.withLock { $0 } == [])
    }
}
