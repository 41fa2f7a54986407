import Testing

@testable import HTTPServer

@Suite("The state of an HTTP/2 stream")
struct HTTP2StreamStateTests {
    private let limits = {
        var limits = HTTPConfiguration()
        limits.bodyTimeout = 1
        limits.writeTimeout = 2
        limits.lingerTimeout = 3
        limits.heartbeat = 4
        return limits
    }()

    static let states: [HTTP2StreamState] = HTTP2StreamState.Phase.allCases.flatMap { phase in
        (0..<32).map { flags in
            HTTP2StreamState(
                phase: phase,
                isUploading: flags & 1 != 0,
                isFull: flags & 2 != 0,
                isEnded: flags & 4 != 0,
                isDeferred: flags & 8 != 0,
                isEndless: flags & 16 != 0
            )
        }
    }

    /// The act that is due in each state, and after how many milliseconds; nil for none, however long.
    private func expected(
        _ state: HTTP2StreamState,
        hasRoom: Bool
    ) -> (HTTP2StreamState.Due, after: Int)? {
        switch state.phase {
        case .free, .responding: nil
        case .collecting: (.rejectLate, 1000)
        case .streaming: state.isFull ? nil : (.rejectLate, 1000)
        case .answered: (.reset, 3000)
        case .answering:
            if !state.isDeferred {
                hasRoom ? nil : (.cancel, 2000)
            } else if state.isUploading, !state.isFull {
                (.cancel, 1000)
            } else {
                state.isEndless ? (.sendHeartbeat, 4000) : nil
            }
        }
    }

    @Test("each state has its timeout and the action after it", arguments: [false, true])
    func due(_ hasRoom: Bool) {
        for state in Self.states {
            for idle in [0, 999, 1000, 1999, 2000, 2999, 3000, 3999, 4000, 1_000_000] {
                let due = state.due(after: idle, limits, hasRoom: hasRoom)
                let expected = expected(state, hasRoom: hasRoom).flatMap { idle >= $1 ? $0 : nil }
                #expect(due == expected, "\(state), \(idle) ms")
            }
        }
    }

    @Test("a response's task and a client that may not send have no timeout")
    func patience() {
        for state in Self.states where !state.awaitsClient {
            let due = state.due(after: .max, limits, hasRoom: false)
            #expect(due == nil || due == .sendHeartbeat, "\(state)")
        }
    }

    @Test("each state with a timeout has a timer")
    func timers() {
        for state in Self.states where state.due(after: .max, limits, hasRoom: false) != nil {
            #expect(state.awaitsClient || state.isEndless, "\(state)")
        }
    }

    @Test("a response awaits room exactly while the session has a part of it to send")
    func room() {
        for state in Self.states {
            #expect(state.awaitsRoom == (state.phase == .answering && !state.isDeferred))
        }
    }
}
