import AdministrationStore
import Eventually
import Locking
import PostgreSQL
import TestDatabase
import TestLog
import Testing

@Suite("Stores of tokens and plugs")
struct AdministrationBackendTests {
    private static func record(
        _ name: String,
        in backend: any AdministrationBackend
    ) async throws {
        try await backend.change { try $0.record(.setPlug, of: name, to: "1", by: .server) }
    }

    @Test("nothing is there before the first change", arguments: AdministrationKind.allCases)
    func empty(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let backend = try place.backend()
        #expect(try await backend.read(backend.tables.head) == nil)
        #expect(try await !backend.hasTables())
        #expect(try await !backend.hasRows())
        #expect(try await backend.head() == .none)
        #expect(try await backend.auditRows(after: 0, limit: 1) == [])
        try await backend.change { _ in }
        #expect(try await !backend.hasTables())
        try await Self.record("a", in: backend)
        #expect(try await backend.hasTables())
        #expect(try await backend.hasRows())
    }

    @Test(
        "a commit is stored only after its head, all of it or nothing",
        arguments: AdministrationKind.allCases
    )
    func commit(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let (one, other) = (try place.backend(), try place.backend())
        try await Self.record("a", in: one)
        let head = try await other.head()
        let insert: SQLStatement = "INSERT INTO \(one.tables.scope) (name) VALUES (\("x"))"
        #expect(try await !one.commit([insert], after: AdministrationHead.none))
        #expect(try await other.read("SELECT name FROM \(one.tables.scope)")?.count == 0)
        await #expect(throws: (any Error).self) {
            try await one.commit([insert, insert], after: head)
        }
        #expect(try await other.read("SELECT name FROM \(one.tables.scope)")?.count == 0)
        #expect(try await one.commit([insert], after: head))
        #expect(try await other.commit([], after: nil))
        #expect(try await other.read("SELECT name FROM \(one.tables.scope)")?.count == 1)
    }

    @Test(
        "concurrent changes of two processes each get the next row",
        arguments: AdministrationKind.allCases
    )
    func concurrent(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let backends = [try place.backend(), try place.backend()]
        try await Self.record("first", in: backends[0])
        try await withThrowingTaskGroup { group in
            for number in 0..<40 {
                group.addTask { try await Self.record("\(number)", in: backends[number % 2]) }
            }
            try await group.waitForAll()
        }
        let rows = try await backends[0].auditRows(after: 0, limit: 100)
        #expect(rows.map(\.sequence) == Array(1...41))
        #expect(Set(rows.map(\.name)).count == 41)
        #expect(rows.allSatisfy { $0.hash == $0.computedHash })
        #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.hash == $1.previous })
    }

    @Test("a cancelled caller's change is complete", arguments: AdministrationKind.allCases)
    func cancelled(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let backend = try place.backend()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await Self.record("a", in: backend)
        }
        try await task.value
        #expect(try await backend.head().sequence == 1)
    }

    @Test("another process's change is reported", arguments: AdministrationKind.allCases)
    func watch(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let (server, other) = (try place.backend(), try place.backend())
        try await Self.record("a", in: other)
        let seen = Locked(0)
        let task = Task {
            await server.watch {
                let head = try? await server.head().sequence
                seen.withLock { $0 = head ?? $0 }
            }
        }
        try await eventually("the first change") { seen.withLock { $0 } == 1 }
        for number in 2...4 {
            try await Self.record("a", in: other)
            try await eventually("change \(number)") { seen.withLock { $0 } == number }
        }
        task.cancel()
        await task.value
    }

    @Test(
        "news are the rows after a head; another history is a replacement",
        arguments: AdministrationKind.allCases
    )
    func news(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let backend = try place.backend()
        func news(after head: AdministrationHead) async throws -> AdministrationNews {
            let query = AdministrationNews.query(after: head, in: backend.tables)
            return AdministrationNews(try await backend.read(query) ?? [], after: head)
        }
        #expect(try await news(after: AdministrationHead.none) == .rows([]))
        for name in ["a", "b", "c"] { try await Self.record(name, in: backend) }
        let rows = try await backend.auditRows(after: 0, limit: 10)
        #expect(try await news(after: AdministrationHead.none) == .rows(rows))
        #expect(try await news(after: AdministrationHead(rows[0])) == .rows(Array(rows[1...])))
        #expect(try await news(after: AdministrationHead(rows[2])) == .rows([]))
        let other = AdministrationHead(sequence: 2, hash: rows[0].hash)
        #expect(try await news(after: other) == .replaced)
        let cut = AdministrationHead(sequence: 9, hash: rows[0].hash)
        #expect(try await news(after: cut) == .replaced)
    }

    @Test(
        "a page of large rows ends after 1 MiB, and has at least one row",
        arguments: AdministrationKind.allCases
    )
    func pages(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let backend = try place.backend()
        try await backend.change { update in
            for size in [1, 600 << 10, 600 << 10, 3 << 20, 1, 1] {
                // Two bytes each, and one character for the database.
                let text = String(repeating: "é", count: size / 2)
                try update.record(.setPlug, to: text, by: .server)
            }
        }
        var pages: [[Int]] = []
        while pages.last != [] {
            let after = pages.last?.last ?? 0
            pages.append(try await backend.auditRows(after: after, limit: 100).map(\.sequence))
        }
        #expect(pages == [[1, 2, 3], [4], [5, 6], []])
        let newest = try await backend.auditRows(before: nil, limit: 100)
        #expect(newest.map(\.sequence) == [6, 5, 4])
        let limited = try await backend.auditRows(before: nil, limit: 2)
        #expect(limited.map(\.sequence) == [6, 5])
    }

    @Test(
        "an audit with the greatest row number accepts no more rows",
        arguments: AdministrationKind.allCases
    )
    func lastRow(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let backend = try place.backend()
        try await Self.record("a", in: backend)
        try place.run("UPDATE \(place.tables.audit) SET sequence = \(Int.max)")
        await #expect(throws: AdministrationError.self) {
            try await Self.record("b", in: backend)
        }
        #expect(try await backend.auditRows(after: .max, limit: 1) == [])
    }
}
