import Logging
import Plug
import PlugHTTP
import Plugboard
import PlugboardClient
import ServiceLifecycle
import Testing

private class Wait: Action<Void, String>, GET { static var path: String { "/wait" } }
private class Echo: Action<Void, String>, GET { static var path: String { "/echo" } }
private class Missing: Action<Void, String> {}

@Suite("A server's lifecycle", .serialized, .timeLimit(.minutes(5)))
struct ServerTests {
    /// A server of one loop that tells its port when its sockets are open.
    private func server(
        handlesSignals: Bool,
        @ActionsBuilder _ actions: () -> [ExposedAction]
    ) -> (Server, AsyncStream<String>) {
        var server = Server(actions: actions)
        server.configuration.port = 0
        server.configuration.loops = 1
        server.configuration.handlesSignals = handlesSignals
        let (addresses, continuation) = AsyncStream.makeStream(of: String.self)
        server.onStart = { continuation.yield($0.urls[0]) }
        return (server, addresses)
    }

    private func first(_ stream: AsyncStream<String>) async throws -> String {
        try await soon("the start") {
            for await value in stream { return value }
            throw CancellationError()
        }
    }

    @Test("run serves, and ends with its task", arguments: [true, false])
    func cancellation(_ handlesSignals: Bool) async throws {
        Echo.self <~ { "echo" }
        let (server, addresses) = server(handlesSignals: handlesSignals) { Echo.self }
        let task = Task { try await server.run() }
        let client = Client(try await first(addresses))
        #expect(try await client.send(Echo.self) == "echo")
        task.cancel()
        // Whether cancellation is an error is the service group's business; that it ends is ours.
        _ = try await soon("the end of run") { await task.result }
        await #expect(throws: (any Error).self) { try await client.send(Echo.self) }
    }

    @Test("run ends at once if its task is already cancelled")
    func cancelledBefore() async throws {
        Echo.self <~ { "echo" }
        let (server, _) = server(handlesSignals: false) { Echo.self }
        let gate = Gate()
        let task = Task {
            await gate.pass()
            try await server.run()
        }
        task.cancel()
        gate.open()
        _ = try await soon("the end of run") { await task.result }
    }

    @Test("run ends with the service group that it runs in")
    func gracefulShutdown() async throws {
        Echo.self <~ { "echo" }
        let (server, addresses) = server(handlesSignals: false) { Echo.self }
        let group = ServiceGroup(
            services: [server],
            logger: Logger(label: "group") { _ in SwiftLogNoOpLogHandler() }
        )
        let task = Task { try await group.run() }
        let client = Client(try await first(addresses))
        #expect(try await client.send(Echo.self) == "echo")
        await group.triggerGracefulShutdown()
        let result = try await soon("the end of run") { await task.result }
        #expect(throws: Never.self) { try result.get() }
        await #expect(throws: (any Error).self) { try await client.send(Echo.self) }
    }

    @Test("a request in flight gets its response before the server ends")
    func inFlight() async throws {
        let gate = Gate()
        let (begun, continuation) = AsyncStream.makeStream(of: String.self)
        Wait.self <~ {
            continuation.yield("begun")
            await gate.pass()
            return "done"
        }
        let (server, addresses) = server(handlesSignals: false) { Wait.self }
        let group = ServiceGroup(
            services: [server],
            logger: Logger(label: "group") { _ in SwiftLogNoOpLogHandler() }
        )
        let task = Task { try await group.run() }
        let client = Client(try await first(addresses))
        async let answer = client.send(Wait.self)
        _ = try await first(begun)
        await group.triggerGracefulShutdown()
        gate.open()
        #expect(try await answer == "done")
        let result = try await soon("the end of run") { await task.result }
        #expect(throws: Never.self) { try result.get() }
    }

    @Test("a request that exceeds the time to drain is aborted")
    func drainTimeout() async throws {
        let gate = Gate()
        let (begun, continuation) = AsyncStream.makeStream(of: String.self)
        Wait.self <~ {
            continuation.yield("begun")
            await gate.pass()
            return "late"
        }
        var (server, addresses) = server(handlesSignals: false) { Wait.self }
        server.configuration.drainTimeout = 1
        let running = server
        let task = Task { try await running.run() }
        let client = Client(try await first(addresses))
        let answer = Task { try await client.send(Wait.self) }
        _ = try await first(begun)
        task.cancel()
        _ = try await soon("the end of run") { await task.result }
        await #expect(throws: (any Error).self) { try await answer.value }
        gate.open()
    }

    @Test("run throws the start-up errors", arguments: [true, false])
    func startError(_ handlesSignals: Bool) async throws {
        var (server, _) = server(handlesSignals: handlesSignals) { Missing.self }
        server.reportsStartErrors = false
        let error = await #expect(throws: StartError.self) { try await server.run() }
        #expect(error?.problems.count == 1)
        #expect(error?.description.contains("Missing") == true)
        #expect(error?.exitStatus == 78)
    }
}
