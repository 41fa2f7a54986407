#if canImport(Glibc)
import Glibc
import Locking
import Testing

@testable import HTTPTransport

@Suite("Name resolution on its own threads", .timeLimit(.minutes(5)))
struct ResolverTests {
    /// A name server that responds once it is opened, and counts the lookups.
    private final class NameServer: Sendable {
        let lookups = Locked<[String]>([])
        private let gate = Locked(false)

        func open() { gate.withLock { $0 = true } }

        func resolve(_ authority: HostAndPort) throws -> HostAddresses {
            lookups.withLock { $0.append(authority.host) }
            while !gate.withLock({ $0 }) { sched_yield() }
            let local = HostAndPort("127.0.0.1:\(authority.port)", defaultPort: 80)
            guard let local else { throw ClientError(.unreachable, "none") }
            return try HostAddresses(local.resolve())
        }
    }

    private func authority(_ text: String) throws -> HostAndPort {
        try #require(HostAndPort(text, defaultPort: 80))
    }

    /// Runs blocking work on a thread of its own.
    private func blocking<Value: Sendable>(
        _ threads: WorkerThreads,
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let handoff = Handoff<Value>()
        return try await handoff.wait {
            #expect(threads.run { handoff.end(Result { try work() }) })
        }
    }

    @Test("a name is resolved; an address needs no thread")
    func resolves() throws {
        let server = NameServer()
        server.open()
        let resolver = Resolver(maximumCount: 1) { try server.resolve($0) }
        let found = try resolver.addresses(
            of: authority("a.example"),
            until: .now + .seconds(60),
            for: HeldConnection()
        )
        #expect(!found.all.isEmpty)
        let silent = Resolver(maximumCount: 1) { try HostAddresses($0.resolve()) }
        let address = try silent.addresses(
            of: authority("127.0.0.1"),
            until: .now,
            for: HeldConnection()
        )
        #expect(address.all.count == 1)
    }

    @Test("a name server that doesn't respond holds few threads, and no request past its deadline")
    func silent() async throws {
        let server = NameServer()
        defer { server.open() }
        let resolver = Resolver(maximumCount: 2) { try server.resolve($0) }
        let threads = WorkerThreads(maximumCount: 10)
        let kinds = try await withThrowingTaskGroup(of: ClientError.Kind?.self) { group in
            for number in 0..<10 {
                let host = try authority("host\(number).example")
                group.addTask {
                    do {
                        _ = try await blocking(threads) {
                            try resolver.addresses(
                                of: host,
                                until: .now + .milliseconds(50),
                                for: HeldConnection()
                            )
                        }
                        return nil
                    } catch let error as ClientError {
                        return error.kind
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(kinds == Array(repeating: .timedOut, count: 10))
        #expect(server.lookups.withLock { $0.count } <= 2)
    }

    @Test("a name has one lookup for all its requests, and delays no other name")
    func shared() async throws {
        let server = NameServer()
        defer { server.open() }
        let resolver = Resolver(maximumCount: 2) { host in
            host.host == "b.example"
                ? try HostAddresses(self.authority("127.0.0.1").resolve())
                : try server.resolve(host)
        }
        let threads = WorkerThreads(maximumCount: 1)
        let silent = try authority("a.example")
        let found = Task {
            try await blocking(threads) {
                try resolver.addresses(
                    of: silent,
                    until: .now + .seconds(3_600),
                    for: HeldConnection()
                )
            }
        }
        while server.lookups.withLock({ $0.isEmpty }) { await Task.yield() }
        for _ in 0..<3 {
            let error = #expect(throws: ClientError.self) {
                try resolver.addresses(
                    of: silent,
                    until: .now + .milliseconds(20),
                    for: HeldConnection()
                )
            }
            #expect(error?.kind == .timedOut)
        }
        let other = try resolver.addresses(
            of: authority("b.example"),
            until: .now + .seconds(240),
            for: HeldConnection()
        )
        #expect(!other.all.isEmpty)
        server.open()
        #expect(!(try await found.value).all.isEmpty)
        #expect(server.lookups.withLock { $0 } == ["a.example"])
    }

    @Test("a cancelled request leaves the lookup at once")
    func cancelled() async throws {
        let server = NameServer()
        defer { server.open() }
        let resolver = Resolver(maximumCount: 1) { try server.resolve($0) }
        let held = HeldConnection()
        let host = try authority("a.example")
        let threads = WorkerThreads(maximumCount: 1)
        let found = Task {
            try await blocking(threads) {
                try resolver.addresses(of: host, until: .now + .seconds(3_600), for: held)
            }
        }
        while server.lookups.withLock({ $0.isEmpty }) { await Task.yield() }
        held.cancel()
        await #expect(throws: CancellationError.self) { _ = try await found.value }
        #expect(throws: CancellationError.self) {
            try resolver.addresses(of: host, until: .now + .seconds(3_600), for: held)
        }
    }
}
#endif
