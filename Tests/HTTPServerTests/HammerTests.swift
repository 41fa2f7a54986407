import System
import Locking
import Testing

@testable import HTTPServer

@Suite("Many clients while the server drains", .blockingClients, .timeLimit(.minutes(5)))
struct HammerTests {
    /// The results of the clients.
    private struct Seen {
        var answers = 0
        var lastAnswers = 0
        var faults: [String] = []
    }

    @Test("no response is incomplete, lost or out of order")
    func hammer() async throws {
        let seen = Locked(Seen())
        // Whether a drain meets a client amid its requests is a matter of chance: more of them, should
        // the first five have met none.
        for round in 1...50 where round <= 5 || seen.withLock({ $0.lastAnswers == 0 }) {
            let count = seen.withLock { $0.answers } + (round <= 5 ? 2000 : 100)
            let server = try TestServer(.any) { $0.loops = 2 }
            let enough = Signal()
            let ended = (0..<4).map { _ in Signal() }
            for signal in ended {
                try Thread.start {
                    while Self.serve(server, seen) {
                        if seen.withLock({ $0.answers >= count }) { enough.give() }
                    }
                    signal.give()
                }
            }
            await enough.wait()
            await server.stop()
            for signal in ended { await signal.wait() }
        }
        let result = seen.withLock { $0 }
        #expect(result.faults == [])
        #expect(result.lastAnswers > 0)
    }

    /// Uses one connection until it closes; false if there is no server any more.
    private static func serve(_ server: TestServer, _ seen: Locked<Seen>) -> Bool {
        guard let client = try? server.client() else { return false }
        let paths = ["/1", "/now/2", "/3", "/now/4"]
        let texts = ["/1", "2", "/3", "4"]
        let body = post("/echo", "Transfer-Encoding: chunked") + "1\r\nx\r\n0\r\n\r\n"
        for _ in 0..<50 {
            do {
                try client.send(paths.map { get($0) }.joined() + body)
                for text in texts + ["x"] {
                    let answer = try client.answer()
                    let isLast = answer.field("connection") == "close"
                    seen.withLock { seen in
                        seen.answers += 1
                        if isLast { seen.lastAnswers += 1 }
                        if answer.text != text { seen.faults.append("\(answer.text), not \(text)") }
                    }
                    guard !isLast else {
                        let end = try client.readToEnd()
                        seen.withLock { seen in
                            if end == .reset { seen.faults.append("reset behind the last answer") }
                            if !client.received.isEmpty { seen.faults.append("more than the last") }
                        }
                        return true
                    }
                }
            } catch {
                // An idle connection may close just when the client sends again; nothing else is
                // to be cut off.
                if !client.received.isEmpty {
                    seen.withLock { $0.faults.append("torn: \(error)") }
                }
                return true
            }
        }
        return true
    }
}
