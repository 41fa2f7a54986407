import Testing

@testable import HTTPServer

@Suite("Timer and interest of an HTTP/2 session")
struct SessionWaitTests {
    private func wait(
        _ session: SessionWait,
        timer: TimerKind? = nil,
        isHungUp: Bool = false
    ) -> Wait? {
        session.wait(timer: timer, isHungUp: isHungUp)
    }

    @Test("output comes first, and reading continues until an error or the client's half-close")
    func output() {
        #expect(wait(.room) == Wait(timer: .write, interest: [.read, .write]))
        #expect(wait(.roomAfterError) == Wait(timer: .write, interest: .write))
        #expect(wait(.room, isHungUp: true) == Wait(timer: .write, interest: .write))
    }

    @Test("a session waits for its client by its own timer")
    func client() {
        for kind in [TimerKind.head, .streams, .linger] {
            let wait = wait(.client(kind, isNew: true))
            #expect(wait == Wait(timer: kind, interest: .read))
        }
    }

    @Test("a request restarts the idle timer")
    func idle() {
        #expect(wait(.client(.idle, isNew: true), timer: .idle)?.isNew == true)
        #expect(wait(.client(.idle, isNew: false), timer: .idle)?.isNew == false)
    }

    @Test("after the client's half-close the session waits for its tasks, and then closes")
    func halfClosed() {
        let heartbeat = Wait(timer: .heartbeat, interest: [])
        let hangUp = Wait(timer: .hangUp, interest: [])
        #expect(wait(.nothing, isHungUp: true) == nil)
        #expect(wait(.task, timer: .heartbeat, isHungUp: true) == heartbeat)
        #expect(wait(.task, isHungUp: true) == hangUp)
        #expect(wait(.window, timer: .heartbeat, isHungUp: true) == hangUp)
    }
}
