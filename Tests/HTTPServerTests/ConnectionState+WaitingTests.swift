import Testing

@testable import HTTPServer

@Suite("Timer and interest of a connection's state")
struct ConnectionStateWaitingTests {
    private func wait(
        _ state: ConnectionState,
        timer: TimerKind? = nil,
        isBlocked: Bool = false,
        hasBegunHead: Bool = false,
        isDraining: Bool = false,
        allowsInterim: Bool = true
    ) -> Wait? {
        state.wait(
            timer: timer,
            isBlocked: isBlocked,
            hasBegunHead: hasBegunHead,
            isDraining: isDraining,
            allowsInterim: allowsInterim
        )
    }

    @Test("in every state, pending output waits for the socket first")
    func blocked() {
        for state in ConnectionStateTests.states {
            let expected = Wait(timer: .write, interest: .write)
            #expect(wait(state, isBlocked: true) == expected, "\(state)")
        }
    }

    @Test(
        "each reading state has its timer and interest",
        arguments: [
            (ConnectionState.Reading.head, TimerKind?.some(.idle), EpollPoller.Interest.read),
            (.proxyHeader, .head, .read), (.collecting, .body, .read), (.streaming, .body, .read),
            (.full, nil, .hangUp),
            (.starting, nil, .read), (.responding, nil, .read), (.paused, nil, .hangUp),
        ]
    )
    func reading(
        _ reading: ConnectionState.Reading,
        _ timer: TimerKind?,
        _ interest: EpollPoller.Interest
    ) {
        let state = ConnectionState(reading: reading)
        for running in [nil] + TimerKind.allCases.map(TimerKind?.some) {
            #expect(wait(state, timer: running) == Wait(timer: timer, interest: interest))
        }
    }

    @Test("a partial head has the head timer, and the linger timer during a drain")
    func head() {
        let state = ConnectionState()
        #expect(wait(state, hasBegunHead: true) == Wait(timer: .head, interest: .read))
        let draining = wait(state, hasBegunHead: true, isDraining: true)
        #expect(draining == Wait(timer: .linger, interest: .read))
    }

    @Test("a connection without a head has the idle timer, and the linger timer during a drain")
    func idle() {
        #expect(wait(ConnectionState()) == Wait(timer: .idle, interest: .read))
        let draining = wait(ConnectionState(), isDraining: true)
        #expect(draining == Wait(timer: .linger, interest: .read))
    }

    @Test("an endless stream has a heartbeat, unless the reading buffer is full")
    func heartbeat() {
        for reading in [ConnectionState.Reading.starting, .responding, .paused] {
            let state = ConnectionState(reading: reading, sending: .endlessBody)
            #expect(wait(state)?.timer == .heartbeat)
        }
        #expect(wait(ConnectionState(reading: .full, sending: .endlessBody))?.timer == nil)
        #expect(wait(ConnectionState(reading: .responding, sending: .body))?.timer == nil)
    }

    @Test("a lingering connection reads, and its timer isn't restarted")
    func lingering() {
        let state = ConnectionState(reading: .lingering, ending: .lingers)
        #expect(wait(state, timer: .linger) == Wait(timer: .linger, interest: .read))
    }

    @Test(
        "handshake, HTTP/2 session and closed connection don't wait by the state"
    )
    func elsewhere() {
        for reading in [ConnectionState.Reading.handshaking, .http2, .closed] {
            #expect(wait(ConnectionState(reading: reading)) == nil)
        }
    }

    @Test("a half-closed client is probed if its response allows it, else the hang-up timer runs")
    func silent() {
        for reading in [ConnectionState.Reading.full, .starting, .responding, .paused] {
            var state = ConnectionState(reading: reading, isHungUp: true)
            #expect(wait(state) == Wait(timer: .heartbeat, interest: []))
            #expect(wait(state, timer: .hangUp) == Wait(timer: .hangUp, interest: []))
            #expect(wait(state, allowsInterim: false) == Wait(timer: .hangUp, interest: []))
            state.sending = .body
            #expect(wait(state) == Wait(timer: .hangUp, interest: []))
            state.sending = .endlessBody
            #expect(wait(state, allowsInterim: false) == Wait(timer: .heartbeat, interest: []))
        }
    }

    @Test("every wait for the client has a timer")
    func timers() {
        for state in ConnectionStateTests.states {
            for timer in [nil] + TimerKind.allCases.map(TimerKind?.some) {
                guard let wait = wait(state, timer: timer), wait.timer == nil else { continue }
                // A task works for it, or the linger timer was armed as the state began.
                let hasTask = state.isMakingResponse || state.reading == .full
                #expect(hasTask || state.reading == .lingering, "\(state)")
            }
        }
    }
}
