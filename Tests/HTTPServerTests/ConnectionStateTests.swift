import Testing

@testable import HTTPServer

@Suite("The state of a connection")
struct ConnectionStateTests {
    /// Every value that a state can have.
    static let states: [ConnectionState] = ConnectionState.Reading.allCases.flatMap { reading in
        ConnectionState.Sending.allCases.flatMap { sending in
            ConnectionState.Ending.allCases.flatMap { ending in
                [false, true].flatMap { isHungUp in
                    [false, true].map { awaitsTurn in
                        ConnectionState(
                            reading: reading,
                            sending: sending,
                            ending: ending,
                            isHungUp: isHungUp,
                            awaitsTurn: awaitsTurn
                        )
                    }
                }
            }
        }
    }

    @Test("a closed connection ignores every event")
    func closed() {
        for (name, event) in connectionEvents {
            for state in Self.states where state.reading == .closed {
                var changed = state
                #expect(changed.on(event, isBlocked: false) == [], "\(name)")
                #expect(changed == state, "\(name)")
            }
        }
    }

    @Test("no event reverts a decided end")
    func endings() {
        for (name, event) in connectionEvents {
            for state in Self.states {
                var changed = state
                _ = changed.on(event, isBlocked: false)
                #expect(changed.ending >= state.ending, "\(name), \(state)")
            }
        }
    }

    @Test("no reachable state sends a body without a running task")
    func reachable() {
        var seen: Set<ConnectionState> = []
        var next = [
            ConnectionState(reading: .proxyHeader), ConnectionState(reading: .handshaking),
            ConnectionState(),
        ]
        while let state = next.popLast() {
            guard seen.insert(state).inserted else { continue }
            for (_, event) in connectionEvents {
                for isBlocked in [false, true] {
                    var changed = state
                    _ = changed.on(event, isBlocked: isBlocked)
                    next.append(changed)
                }
            }
        }
        let orphans = seen.filter {
            $0.sending != .nothing && !$0.isMakingResponse && !$0.isStreaming
        }
        #expect(orphans == [])
    }
}

/// The table of outcomes, read from its text.
struct StateTable {
    struct Rule {
        let line: String
        let conditions: [String]
        let outcome: [String]

        func holds(_ state: ConnectionState, _ isBlocked: Bool) -> Bool {
            let readings = conditions.compactMap(ConnectionState.Reading.init(name:))
            let flags = conditions.filter { ConnectionState.Reading(name: $0) == nil }
            return (readings.isEmpty || readings.contains(state.reading))
                && flags.allSatisfy { state.holds($0, isBlocked) }
        }

        func outcome(_ state: ConnectionState) -> (ConnectionState, ConnectionState.Actions) {
            var (state, actions) = (state, ConnectionState.Actions())
            for word in outcome where !state.change(word) { actions.formUnion(.named(word)) }
            return (state, actions)
        }
    }

    var rules: [String: [Rule]] = [:]

    init(_ text: String) throws {
        var event = ""
        for line in text.split(separator: "\n") {
            guard line.hasPrefix(" ") else {
                event = String(line)
                continue
            }
            let parts = line.split(separator: "|").map { $0.split(separator: " ").map(String.init) }
            try #require(parts.count == 2, "\(line)")
            rules[event, default: []].append(
                Rule(line: String(line), conditions: parts[0], outcome: parts[1])
            )
        }
    }
}

extension ConnectionState.Reading {
    fileprivate init?(name: String) {
        guard let reading = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
        self = reading
    }
}

extension ConnectionState {
    fileprivate func holds(_ word: String, _ isBlocked: Bool) -> Bool {
        switch word {
        case "any": true
        case "blocked": isBlocked
        case "turn": awaitsTurn
        case "hungUp": isHungUp
        case "!hungUp": !isHungUp
        case "sending": sending != .nothing
        case "endless": sending == .endlessBody
        case "ending": ending != .persists
        case "lingers": ending == .lingers
        default: fatalError("the table has a condition \(word)")
        }
    }

    /// Changes the state as a word of the table says; false if the word is an action.
    fileprivate mutating func change(_ word: String) -> Bool {
        switch word {
        case "-": break
        case "hungUp": isHungUp = true
        case "!hungUp": isHungUp = false
        case "turn": awaitsTurn = true
        case "!turn": awaitsTurn = false
        case "sending": sending = .body
        case "endless": sending = .endlessBody
        case "!sending": sending = .nothing
        case "=lingers": ending = .lingers
        case "≥closes": if ending == .persists { ending = .closes }
        case "closes→lingers": if ending == .closes { ending = .lingers }
        default:
            guard word.hasPrefix("→"), let next = Reading(name: String(word.dropFirst())) else {
                return false
            }
            reading = next
        }
        return true
    }
}

extension ConnectionState.Actions {
    fileprivate static func named(_ word: String) -> Self {
        switch word {
        case "noteUnread": .noteUnread
        case "abandonBody": .abandonBody
        case "abandonAll": .abandonAll
        case "releaseTask": .releaseTask
        case "cancelTask": .cancelTask
        case "disarm": .disarm
        case "armBody": .armBody
        case "armHangUp": .armHangUp
        case "armLinger": .armLinger
        case "armWrite": .armWrite
        case "readProxyHeader": .readProxyHeader
        case "rejectLateProxyHeader": .rejectLateProxyHeader
        case "handshake": .handshake
        case "drainHandshake": .drainHandshake
        case "read": .read
        case "drop": .drop
        case "endIfIdle": .endIfIdle
        case "queueTurn": .queueTurn
        case "rejectLateHead": .rejectLateHead
        case "rejectLateBody": .rejectLateBody
        case "sendContinue": .sendContinue
        case "sendHeartbeat": .sendHeartbeat
        case "checkTaken": .checkTaken
        case "readBeforeCheck": .readBeforeCheck
        case "checkStreams": .checkStreams
        case "probeSession": .probeSession
        case "hangUpSession": .hangUpSession
        case "drainSession": .drainSession
        case "failSession": .failSession
        case "endSession": .endSession
        case "writeSession": .writeSession
        case "writeRoom": .writeRoom
        case "send": .send
        case "flush": .flush
        case "resume": .resume
        case "settle": .settle
        case "close": .close
        case "writeResponse": .writeResponse
        case "rejectRequest": .rejectRequest
        case "shutDown": .shutDown
        default: fatalError("the table has an action \(word)")
        }
    }
}
