import Testing

@testable import BehaviorStore

@Suite("The memory of live revisions")
struct RevisionMemoryTests {
    private let memory = RevisionMemory<String>(maximumSize: 10) { $0.utf8.count }

    private func key(_ name: String) throws -> DocumentKey { try #require(DocumentKey(name)) }

    @Test("a revision's value is made once")
    func once() async throws {
        for _ in 1...2 {
            var made = 0
            for since in [1, 1, 2] {
                let value = try await memory.value(
                    of: .stored(1, since: since),
                    at: key("one")
                ) {
                    made += 1
                    return "from \(since)"
                }
                #expect(value == "from \(since)")
            }
            #expect(made == 2)
        }
    }

    @Test("a next revision's value replaces it, and a failure none")
    func replaced() async throws {
        _ = try await memory.value(of: .served(etag: "a"), at: key("one")) { "aaaaaaaa" }
        await #expect(throws: CancellationError.self) {
            try await memory.value(of: .served(etag: "b"), at: key("one")) {
                throw CancellationError()
            }
        }
        let known = try await memory.value(of: .served(etag: "a"), at: key("one")) { "" }
        #expect(known == "aaaaaaaa")
        // Both don't fit.
        _ = try await memory.value(of: .served(etag: "b"), at: key("one")) { "bbbbbbbb" }
        let next = try await memory.value(of: .served(etag: "b"), at: key("one")) { "" }
        #expect(next == "bbbbbbbb")
    }

    @Test("at the limit of the size all values are removed, and a larger value isn't stored")
    func limit() async throws {
        for (name, value) in [("one", "aaaa"), ("two", "bbbb"), ("three", "cccc")] {
            _ = try await memory.value(of: .served(etag: "a"), at: key(name)) { value }
        }
        let removed = try await memory.value(of: .served(etag: "a"), at: key("one")) { "new" }
        let known = try await memory.value(of: .served(etag: "a"), at: key("three")) { "new" }
        #expect(removed == "new" && known == "cccc")
        for number in 1...2 {
            let large = "\(number) is too large"
            #expect(
                try await memory.value(of: .served(etag: "l"), at: key("l")) { large } == large
            )
        }
    }
}
