import Testing

@testable import HTTPServer

@Suite("Actions of a connection's state")
struct ConnectionActionsTests {
    @Test("each timer action arms its timer, and disarm stops it")
    func timers() throws {
        try withConnection { connection, _ in
            let actions: [(ConnectionState.Actions, TimerKind)] = [
                (.armBody, .body), (.armHangUp, .hangUp), (.armLinger, .linger),
                (.armWrite, .write),
            ]
            for (action, kind) in actions {
                connection.perform(action)
                #expect(connection.timer == kind)
                connection.perform(.disarm)
                #expect(connection.timer == nil)
            }
        }
    }

    @Test("a late head gets 408, then the server closes its side (RFC 9110 §15.5.9)")
    func lateHead() throws {
        try withConnection { connection, sockets in
            connection.perform(.rejectLateHead)
            #expect(sockets.received()?.hasPrefix("HTTP/1.1 408 ") == true)
            #expect(sockets.received() == nil)
            #expect(connection.state.reading == .lingering)
        }
    }

    @Test("reading serves the request and sends its response in the same turn")
    func read() throws {
        try withConnection { connection, sockets in
            sockets.send(get("/a"))
            connection.perform(.read)
            #expect(sockets.received()?.hasPrefix("HTTP/1.1 200 OK\r\n") == true)
            #expect(connection.timer == .idle)
        }
    }

    @Test("sendContinue sends 100 Continue (RFC 9110 §15.2.1)")
    func probe() throws {
        try withConnection { connection, sockets in
            connection.perform(.sendContinue)
            #expect(sockets.received() == "HTTP/1.1 100 Continue\r\n\r\n")
        }
    }

    @Test("a queued turn has the connection's token")
    func turn() throws {
        try withConnection { connection, _ in
            connection.perform(.queueTurn)
            #expect(connection.loop.turns == [connection.token])
        }
    }

    @Test("closing ends socket and timer, and later events have no effect")
    func close() throws {
        try withConnection { connection, sockets in
            connection.perform([.armBody, .close])
            #expect(sockets.received() == nil)
            #expect(connection.timer == nil)
            #expect(connection.loop.counters.closed.value == 1)
            connection.handle(.writable)
            connection.close()
            #expect(connection.loop.counters.closed.value == 1)
        }
    }
}
