import HTTP2Frames
import Testing

@testable import HTTPServer

@Suite(
    "Output budget for slow clients, in both protocols",
    .blockingClients,
    .timeLimit(.minutes(5))
)
struct OutputBudgetTests {
    private let budget = OutputBudget(limit: 10_000_000)
    private let share = OutputBudget.share

    @Test("a connection below its share may begin a response even if others exceed the budget")
    func start() {
        #expect(budget.allowsStart(own: 0, ready: 0, all: .max))
        #expect(budget.allowsStart(own: share - 1, ready: share - 1, all: .max))
        #expect(!budget.allowsStart(own: share, ready: share, all: 10_000_000))
        #expect(budget.allowsStart(own: share, ready: share, all: 9_999_999))
        // Pieces count against the loop's budget, and not against the connection's.
        #expect(budget.allowsStart(own: .max, ready: 0, all: 0))
        #expect(!budget.allowsStart(own: .max, ready: 0, all: 10_000_000))
        #expect(
            !budget.allowsStart(
                own: OutputBudget.connectionLimit,
                ready: OutputBudget.connectionLimit,
                all: 0
            )
        )
    }

    @Test("a small response is always stored, a large one while there is room")
    func ready() {
        #expect(budget.allows(share, own: 0, all: .max))
        #expect(!budget.allows(share, own: share, all: 10_000_000))
        #expect(!budget.allows(share + 1, own: 0, all: 10_000_000))
        #expect(budget.allows(share + 1, own: 0, all: 9_999_999))
        // The last one may be larger than what is left: nobody knew its size.
        #expect(budget.allows(20_000_000, own: 0, all: 9_999_999))
        #expect(!budget.allows(1, own: OutputBudget.readyLimit, all: 0))
    }

    @Test(
        "HTTP/1.1: above the budget large responses are 503 and small ones are sent"
    )
    func connections() async throws {
        try await withServer(.any, { $0.outputBudget = 1_000_000 }) { server in
            let slow = try server.client(receiveBuffer: 4096)
            try slow.send(get("/later/slow/20000000"))
            await server.stage.signal("slow begun").wait()
            server.stage.signal("slow").give()
            // Its head has come, so the rest of it waits.
            try slow.read(atLeast: 1)
            let other = try server.client()
            try other.send(get("/bytes/15000000") + get("/bytes/60000") + get("/small"))
            let rejected = try other.answer()
            #expect(rejected.status == 503)
            #expect(rejected.field("Retry-After") == "1")
            #expect(try other.answer().body.count == 60_000)
            #expect(try other.answer().text == "/small")
            slow.close()
            var status = 0
            while status != 200 {
                try other.send(get("/bytes/15000000"))
                status = try other.answer().status
            }
        }
    }

    /// Asks until the response is 200; before, it is 503.
    private func receive(
        _ path: String,
        from server: TestServer,
        meanwhile step: () throws -> Void = {}
    ) throws -> Int {
        while true {
            try step()
            let client = try server.client()
            try client.send(get(path))
            let answer = try client.answer()
            if answer.status == 200 { return answer.body.count }
            #expect(answer.status == 503)
        }
    }

    @Test("HTTP/1.1: a stalled client is disconnected for a response, a slow one isn't")
    func givesWay() async throws {
        try await withServer(.any, { $0.outputBudget = 20_000_000 }) { server in
            let slow = try server.client(receiveBuffer: 65_536)
            try slow.send(get("/bytes/16000000"))
            try slow.read(atLeast: 1)
            let stalled = try server.client(receiveBuffer: 4096)
            try stalled.send(get("/bytes/30000000"))
            try stalled.read(atLeast: 1)
            var count = 0
            let received = try receive("/bytes/100000", from: server) {
                count = min(count + 10_000, 10_000_000)
                try slow.read(atLeast: count)
            }
            #expect(received == 100_000)
            #expect(throws: (any Error).self) { try stalled.answer() }
            #expect(try slow.answer().body.count == 16_000_000)
        }
    }

    @Test("HTTP/2: a client without a window is reset for another client's response")
    func sessionGivesWay() async throws {
        try await withServer(.any, { $0.outputBudget = 1_000_000 }) { server in
            let stalled = try HTTP2Client(server.address, settings: [(4, 0)])
            for stream: UInt32 in [1, 3] { try stalled.get(stream, "/bytes/600000") }
            try stalled.turn()
            #expect(try receive("/bytes/100000", from: server) == 100_000)
            #expect(throws: (any Error).self) { try stalled.answer(1) }
        }
    }

    @Test("HTTP/1.1: a delayed large response becomes 503 as well")
    func later() async throws {
        try await withServer(.any, { $0.outputBudget = 1_000_000 }) { server in
            let slow = try server.client(receiveBuffer: 4096)
            try slow.send(get("/bytes/20000000"))
            try slow.read(atLeast: 1)
            let other = try server.client()
            try other.send(get("/later/other/15000000"))
            await server.stage.signal("other begun").wait()
            server.stage.signal("other").give()
            #expect(try other.answer().status == 503)
            try other.send(get("/small"))
            #expect(try other.answer().text == "/small")
        }
    }

    @Test("bytes that wait for HTTP/1.1 clients count for HTTP/2 clients as well")
    func protocols() async throws {
        try await withServer(.any, { $0.outputBudget = 1_000_000 }) { server in
            let slow = try server.client(receiveBuffer: 4096)
            try slow.send(get("/bytes/20000000"))
            try slow.read(atLeast: 1)
            let client = try HTTP2Client(server.address)
            try client.get(1, "/bytes/15000000")
            try client.get(3, "/bytes/60000")
            #expect(try client.answer(1).reset == 11)
            #expect(try client.answer(3).body.count == 60_000)
        }
    }

    @Test("pieces of HTTP/2 streams count until they are sent")
    func pieces() async throws {
        try await withServer(.any, { $0.outputBudget = 100_000 }) { server in
            let slow = try HTTP2Client(server.address, settings: [(4, 0)])
            for stream: UInt32 in [1, 3] { try slow.get(stream, "/pieces/100/1000") }
            try slow.turn()
            let other = try HTTP2Client(server.address)
            try other.get(1, "/bytes/100000")
            #expect(try other.answer(1).reset == 11)
            for stream: UInt32 in [1, 3] { try slow.send(.window(stream, 200_000)) }
            for stream: UInt32 in [1, 3] {
                #expect(try slow.answer(stream).body.count == 100_000)
            }
            try other.get(3, "/bytes/100000")
            #expect(try other.answer(3).body.count == 100_000)
        }
    }
}
