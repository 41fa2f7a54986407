import System
import Glibc
import Locking
import Testing

@testable import HTTPServer

@Suite("An event loop", .blockingClients, .timeLimit(.minutes(5)))
struct EventLoopTests {
    private func makeLoop(_ listeners: [FileDescriptor] = []) throws -> EventLoop {
        let configuration = HTTPConfiguration()
        return try EventLoop(
            configuration: configuration,
            tls: nil,
            untaken: UnreadBytes(budget: configuration.bodyBudget),
            listeners: listeners,
            responder: TestResponder(Stage()),
            logger: .silent
        )
    }

    /// Runs `loop` on its own thread, and returns after its end.
    private func run(_ loop: EventLoop) async throws {
        let ended = Signal()
        try Thread.start {
            loop.run()
            ended.give()
        }
        await ended.wait()
    }

    @Test("a loop without connections ends when it drains, even if the drain precedes its start")
    func drained() async throws {
        let loop = try makeLoop()
        loop.drain()
        try await run(loop)
        #expect(loop.resources.isDraining)
        #expect(loop.resources.registry == nil)
    }

    @Test("a task runs on the loop's thread, before and after its suspensions")
    func tasks() async throws {
        let loop = try makeLoop()
        let task = Task(executorPreference: loop.resources.executor) {
            let before = pthread_self()
            await Task.yield()
            return [before, pthread_self()]
        }
        let thread = Locked<pthread_t?>(nil)
        let ended = Signal()
        try Thread.start {
            thread.withLock { $0 = pthread_self() }
            loop.run()
            ended.give()
        }
        let threads = await task.value
        let own = thread.withLock { $0 }
        #expect(threads.map { $0 == own } == [true, true])
        loop.drain()
        await ended.wait()
    }

    @Test("a task that outlives the loop runs elsewhere, and its response is dropped")
    func late() async throws {
        let loop = try makeLoop()
        loop.drain()
        try await run(loop)
        let resources = loop.resources
        let task = Task(executorPreference: resources.executor) {
            let exchange = ExchangeID(connection: 1 << 32)
            await resources.perform({ Response(status: 200) }, for: exchange)
            return true
        }
        #expect(await task.value)
    }

    @Test("an event of a closed connection doesn't reach the next one with its descriptor")
    func staleToken() throws {
        let sockets = try SocketPair()
        defer { close(sockets.client) }
        let resources = try testResources()
        func connection(_ generation: UInt32) -> Connection {
            Connection(
                fd: sockets.server,
                address: nil,
                generation: generation,
                loop: resources,
                tls: nil
            )
        }
        let (old, new) = (connection(1), connection(2))
        var table = ConnectionTable()
        table.insert(old)
        #expect(table[old.token] === old)
        table.remove(old)
        table.insert(new)
        #expect(table[old.token] == nil)
        #expect(table[new.token] === new)
        #expect(table[UInt64(UInt32(bitPattern: sockets.server))] == nil)
        #expect(table[LoopInbox.token] == nil)
        #expect(table.count == 1)
        new.close()
    }

    @Test("the counters count accepted and closed connections, received bytes and turns")
    func counters() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(get("/a"))
            _ = try client.answer()
            client.close()
            try server.turn()
            let counters = server.server.counters[0]
            #expect(counters.accepted.value == 2)
            #expect(counters.closed.value >= 1)
            #expect(counters.received.value > get("/a").utf8.count)
            #expect(counters.turns.value > 0)
        }
    }
}
