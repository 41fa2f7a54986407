import HTTPServer
import Locking
import Plug
import PlugHTTP
import Plugboard
import ServiceLifecycle
import TestLog
import Testing

private class Prompt: Action<Void, String>, GET { static var path: String { "/prompt" } }

@Suite("The preparation of a server", .serialized, .timeLimit(.minutes(5)))
struct PreparationTests {
    /// A server that is prepared when the gate opens, and what it says of its start.
    private func server(_ preparation: @escaping @Sendable () async throws -> Void) -> Starting {
        Prompt.self <~ { "at once" }
        var server = Server { Prompt.self }
        server.configuration.port = 0
        server.configuration.loops = 1
        server.configuration.handlesSignals = false
        server.preparation = preparation
        let (starts, continuation) = AsyncStream.makeStream(of: String.self)
        server.onStart = { continuation.yield($0.urls[0]) }
        return Starting(server: server, starts: starts, said: continuation)
    }

    private struct Starting {
        let server: Server
        let starts: AsyncStream<String>
        let said: AsyncStream<String>.Continuation

        /// The reported starts, once the server has ended.
        func all() async -> [String] {
            said.finish()
            return await starts.reduce(into: []) { $0.append($1) }
        }
    }

    private func site(_ running: RunningServer) throws -> Site {
        guard case .tcp(_, let port) = running.addresses.first else {
            throw HarnessError("not on TCP: \(running.addresses)")
        }
        return Site(running: running, port: port)
    }

    @Test("while it runs requests get responses, /readyz is 503, and no start is reported")
    func meanwhile() async throws {
        let gate = Gate()
        let isOpen = Locked(false)
        let starting = server {
            await gate.pass()
            isOpen.withLock { $0 = true }
        }
        var server = starting.server
        server.onStart = { start in
            // Told only after it's prepared.
            if isOpen.withLock({ $0 }) { starting.said.yield(start.urls[0]) }
        }
        let running = try server.start()
        let site = try site(running)
        let task = Task { try await running.run() }
        #expect(try await site.get("/prompt").text == #""at once""#)
        #expect(try await site.get("/healthz").status == 200)
        let early = try await site.get("/readyz")
        #expect(early.status == 503)
        #expect(early.text.contains("the server is starting"))
        gate.open()
        let starts = starting.starts
        let address = try await soon("the start") { await starts.first { _ in true } }
        #expect(address == site.url)
        #expect(try await site.get("/readyz").status == 200)
        running.drain()
        _ = try await soon("the end") { try await task.value }
    }

    @Test("an error ends the server, and waiting requests get a response")
    func failing() async throws {
        let gate = Gate()
        let starting = server {
            await gate.pass()
            throw Spoilt()
        }
        let server = starting.server
        let running = try server.start()
        let site = try site(running)
        let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
        Prompt.self <~ {
            continuation.yield()
            await gate.pass()
            throw Problem.serviceUnavailable("spoilt")
        }
        let task = Task { try await running.run() }
        async let answer = site.get("/prompt")
        _ = try await soon("the request") { await begun.first { _ in true } }
        gate.open()
        await #expect(throws: Spoilt.self) {
            try await soon("the end") { try await task.value }
        }
        #expect(try await answer.status == 503)
        #expect(await starting.all() == [])
        await #expect(throws: (any Error).self) { try await site.get("/prompt") }
    }

    @Test("run throws the same error, also if it handles signals", arguments: [true, false])
    func run(_ handlesSignals: Bool) async throws {
        var server = server { throw Spoilt() }.server
        server.configuration.handlesSignals = handlesSignals
        let running = server
        await #expect(throws: Spoilt.self) {
            try await soon("the end") { try await running.run() }
        }
    }

    @Test("stopping the server cancels it and ends the server")
    func cancelled() async throws {
        let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
        let starting = server {
            continuation.yield()
            try await Task.sleep(for: .seconds(3600))
        }
        let running = try starting.server.start()
        let task = Task { try await running.run() }
        _ = try await soon("the preparation") { await begun.first { _ in true } }
        running.drain()
        _ = try await soon("the end") { try await task.value }
        #expect(await starting.all() == [])
    }

    @Test("a cancelled run drains at once, whatever the delay is")
    func cancelledRun() async throws {
        let starting = server {}
        var server = starting.server
        server.configuration.drainDelay = 3600
        let running = try server.start()
        let task = Task { try await running.run() }
        let starts = starting.starts
        _ = try await soon("the start") { await starts.first { _ in true } }
        task.cancel()
        _ = try await soon("the end") { try await task.value }
    }

    @Test("a server stopped while it runs ends without an error and reports no start")
    func stopped() async throws {
        let gate = Gate()
        let starting = server { await gate.pass() }
        let server = starting.server
        let running = try server.start()
        let (group, begun) = (GroupOfOne(running), try site(running))
        let task = Task { try await group.run() }
        #expect(try await begun.get("/prompt").status == 200)
        await group.end()
        await running.http.waitUntilStopped()
        gate.open()
        _ = try await soon("the end") { try await task.value }
        #expect(await starting.all() == [])
    }
}

/// A service group that runs a server that has started.
private struct GroupOfOne: Sendable {
    private let group: ServiceGroup

    init(_ running: RunningServer) {
        group = ServiceGroup(
            services: [running],
            logger: Journal().logger
        )
    }

    func run() async throws { try await group.run() }

    func end() async { await group.triggerGracefulShutdown() }
}

private struct Spoilt: Error {}
