import HTTPServer
import Testing

@testable import Plugboard

@Suite("The size limit of responses stored for keys", .timeLimit(.minutes(10)))
struct IdempotencyBytesTests {
    private let largest = StoredResponse.greatest

    private func claim(_ key: String, from origin: String = "") -> IdempotencyClaim {
        let key = IdempotencyKey(caller: origin.isEmpty ? "ada" : "", action: "Pay", key: key)
        return IdempotencyClaim(key, [1], origin: origin)
    }

    private func answer(_ count: Int) -> StoredResponse {
        let body = [UInt8](repeating: 0x61, count: count)
        return StoredResponse(Response(status: 200, body: .bytes(body)), isSecret: false)
    }

    private func limits(_ responses: Int) -> IdempotencyLimits {
        var limits = IdempotencyLimits()
        limits.maximumBytes = responses * largest
        return limits
    }

    /// Returns the word for the result of a claim.
    private func word(
        _ records: any IdempotencyRecords,
        _ claim: IdempotencyClaim,
        for run: String = "a"
    ) async throws -> String {
        switch try await records.begin(claim, for: run) {
        case .reserved: "reserved"
        case .unkept: "unkept"
        case .answered(let response): "\(response.status)"
        case .full(let room, _): room == .own ? "own" : "all"
        case .mismatch, .held, .lost: "other"
        }
    }

    /// Claims a key and stores a response for it if it is reserved.
    private func perform(
        _ records: any IdempotencyRecords,
        _ claim: IdempotencyClaim,
        _ size: Int
    ) async throws -> String {
        let word = try await word(records, claim)
        if word == "reserved" {
            try await records.finish(claim.key, answer(size), for: "a")
        }
        return word
    }

    @Test(
        "a request is rejected before it runs if the largest response wouldn't fit",
        arguments: KeyPlace.allCases
    )
    func full(_ place: KeyPlace) async throws {
        let store = try KeyStore(place)
        let records = try store.records(limits(3))
        var words: [String] = []
        for key in 1...4 { words.append(try await perform(records, claim("\(key)"), 60_000)) }
        #expect(words == ["reserved", "reserved", "reserved", "own"])
        // Stored responses are still sent.
        #expect(try await word(records, claim("3"), for: "b") == "200")
        // Another action and another caller have limits of their own.
        let refund = IdempotencyKey(caller: "ada", action: "Refund", key: "1")
        #expect(try await word(records, IdempotencyClaim(refund, [1])) == "reserved")
        let bob = IdempotencyKey(caller: "bob", action: "Pay", key: "1")
        #expect(try await word(records, IdempotencyClaim(bob, [1])) == "reserved")
        store.wait(SQLiteIdempotency.age + 1)
        #expect(try await perform(records, claim("5"), 60_000) == "reserved")
        #expect(try await word(records, claim("6")) == "reserved")
    }

    @Test(
        "of concurrent requests the last responses aren't stored, and their keys stay used",
        arguments: KeyPlace.allCases
    )
    func concurrent(_ place: KeyPlace) async throws {
        let store = try KeyStore(place)
        let records = try store.records(limits(3))
        for key in 1...4 { #expect(try await word(records, claim("\(key)")) == "reserved") }
        for key in 1...4 {
            try await records.finish(claim("\(key)").key, answer(60_000), for: "a")
        }
        var words: [String] = []
        for key in 1...4 { words.append(try await word(records, claim("\(key)"), for: "b")) }
        #expect(words == ["200", "200", "200", "unkept"])
        #expect(try await store.bytes() == 3 * answer(60_000).byteCount)
    }

    @Test(
        "an address may use an eighth of the free bytes, and others always get one response",
        arguments: KeyPlace.allCases
    )
    func addresses(_ place: KeyPlace) async throws {
        let store = try KeyStore(place)
        let records = try store.records(limits(16))
        #expect(try await perform(records, claim("a1", from: "a"), largest) == "reserved")
        #expect(try await word(records, claim("a2", from: "a")) == "own")
        var word = "reserved"
        var count = 0
        while word == "reserved" {
            count += 1
            word = try await perform(records, claim("\(count)", from: "\(count)"), largest)
        }
        #expect(word == "all")
        #expect(count == 16)
        // A known caller has a limit of its own.
        #expect(try await self.word(records, claim("1")) == "reserved")
    }

    @Test(
        "concurrent requests of an address can fill only its share",
        arguments: KeyPlace.allCases
    )
    func share(_ place: KeyPlace) async throws {
        let store = try KeyStore(place)
        let records = try store.records(limits(16))
        let claims = (1...3).map { claim("\($0)", from: "a") }
        for claim in claims { #expect(try await word(records, claim) == "reserved") }
        for claim in claims {
            try await records.finish(claim.key, answer(largest), for: "a")
        }
        var words: [String] = []
        for claim in claims { words.append(try await word(records, claim, for: "b")) }
        #expect(words == ["200", "unkept", "unkept"])
    }

    @Test("an expired response's bytes are free again", arguments: KeyPlace.allCases)
    func replaced(_ place: KeyPlace) async throws {
        let store = try KeyStore(place)
        let records = try store.records(limits(3))
        #expect(try await perform(records, claim("1"), 60_000) == "reserved")
        store.wait(SQLiteIdempotency.age + 1)
        // The record is replaced, not removed.
        #expect(try await perform(records, claim("1"), 10) == "reserved")
        #expect(try await store.bytes() == answer(10).byteCount)
        store.wait(SQLiteIdempotency.age + 1)
        #expect(try await word(records, claim("1")) == "reserved")
        try await records.forget(claim("1").key, for: "a")
        #expect(try await store.sizes() == [0, 0])
    }

    @Test("another run's response isn't counted", arguments: KeyPlace.allCases)
    func otherRun(_ place: KeyPlace) async throws {
        let store = try KeyStore(place)
        let records = try store.records()
        #expect(try await word(records, claim("1")) == "reserved")
        try await records.finish(claim("1").key, answer(10), for: "b")
        #expect(try await store.bytes() == 0)
        try await records.finish(claim("1").key, answer(10), for: "a")
        try await records.finish(claim("1").key, answer(20), for: "a")
        #expect(try await store.bytes() == answer(10).byteCount)
    }
}
