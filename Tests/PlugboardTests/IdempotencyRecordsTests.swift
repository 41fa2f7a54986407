import HTTPServer
import HTTPSyntax
import Testing

@testable import Plugboard

@Suite("Records of idempotency keys", .timeLimit(.minutes(10)))
struct IdempotencyRecordsTests {
    private let one = IdempotencyKey(caller: "ada", action: "Pay", key: "1")

    private func claim(
        _ key: String,
        _ caller: String = "ada",
        _ action: String = "Pay",
        from origin: String = ""
    ) -> IdempotencyClaim {
        IdempotencyClaim(.init(caller: caller, action: action, key: key), [1], origin: origin)
    }

    /// Returns the word for the result of a server's claim of a key.
    private func word(
        _ records: any IdempotencyRecords,
        _ claim: IdempotencyClaim,
        for run: String = "a"
    ) async throws -> String {
        switch try await records.begin(claim, for: run) {
        case .reserved: return "reserved"
        case .mismatch: return "mismatch"
        case .held: return "held"
        case .lost: return "lost"
        case .unkept: return "unkept"
        case .answered(let response):
            let body = if case .bytes(let bytes) = response.body { bytes } else { [UInt8]() }
            return
                "\(response.status) \(String(decoding: response.fields.lines + body, as: UTF8.self))"
        case .full(let room, let seconds):
            #expect((1...SQLiteIdempotency.age).contains(seconds))
            return room == .own ? "own room is full" : "full"
        }
    }

    private func answer(_ text: String) -> StoredResponse {
        StoredResponse(
            Response(status: 201, fields: ["A": "b"], body: .bytes(Array(text.utf8))),
            isSecret: false
        )
    }

    @Test("a key belongs to one run until its response is stored", arguments: KeyPlace.allCases)
    func order(_ place: KeyPlace) async throws {
        let store = try KeyStore(place)
        let (records, other) = (try store.records(), try store.records())
        var told = [try await word(records, claim("1"))]
        told.append(try await word(other, claim("1"), for: "b"))
        let another = IdempotencyClaim(one, [2])
        told.append(try await word(other, another, for: "b"))
        // What another run says of it isn't heard.
        try await other.finish(one, answer("no"), for: "b")
        try await other.forget(one, for: "b")
        told.append(try await word(other, claim("1"), for: "b"))
        try await records.finish(one, answer("yes"), for: "a")
        try await records.forget(one, for: "a")
        try await records.finish(one, answer("again"), for: "a")
        told.append(try await word(other, claim("1"), for: "b"))
        told.append(try await word(other, another, for: "b"))
        #expect(
            told == ["reserved", "held", "mismatch", "held", "201 A: b\r\nyes", "mismatch"]
        )
    }

    @Test(
        "a renewed claim is held; an expired one is lost, and no other run gets the key",
        arguments: KeyPlace.allCases
    )
    func lease(_ place: KeyPlace) async throws {
        let store = try KeyStore(place)
        let (records, other) = (try store.records(), try store.records())
        var told = [try await word(records, claim("1"))]
        for _ in 0..<3 {
            store.wait(SQLiteIdempotency.lease - 5)
            try await records.renew("a")
            told.append(try await word(other, claim("1"), for: "b"))
        }
        store.wait(SQLiteIdempotency.lease + 1)
        try await other.renew("b")
        told.append(try await word(other, claim("1"), for: "b"))
        told.append(try await word(other, claim("1"), for: "b"))
        // One that was slow, and lives after all.
        try await records.finish(one, answer("late"), for: "a")
        told.append(try await word(other, claim("1"), for: "b"))
        #expect(
            told == ["reserved", "held", "held", "held", "lost", "lost", "201 A: b\r\nlate"]
        )
    }

    @Test(
        "forget, finish and renew have no effect without a record",
        arguments: KeyPlace.allCases
    )
    func empty(_ place: KeyPlace) async throws {
        let records = try KeyStore(place).records()
        try await records.forget(one, for: "a")
        try await records.finish(one, answer("yes"), for: "a")
        try await records.renew("a")
        let told = try await word(records, claim("1"))
        #expect(told == "reserved")
    }

    @Test("a run that repeats its claim gets the key again", arguments: KeyPlace.allCases)
    func unreportedDrops(_ place: KeyPlace) async throws {
        let store = try KeyStore(place)
        let records = try store.records()
        var told: [String] = []
        for _ in 0..<2 { told.append(try await word(records, claim("1"))) }
        #expect(told == ["reserved", "reserved"])
    }

    @Test("one of a hundred concurrent runs gets the key", arguments: KeyPlace.allCases)
    func concurrent(_ place: KeyPlace) async throws {
        let store = try KeyStore(place)
        store.stop()
        let servers = try [store.records(), store.records()]
        let told = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<100 {
                group.addTask { try await word(servers[number % 2], claim("1"), for: "\(number)") }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(told.count { $0 == "reserved" } == 1)
        #expect(told.count { $0 == "held" } == 99)
    }

    @Test(
        "keys are separate for each caller and action, whatever their names",
        arguments: KeyPlace.allCases
    )
    func apart(_ place: KeyPlace) async throws {
        let store = try KeyStore(place)
        let records = try store.records()
        let long = String(repeating: "a", count: 10_000)
        for claim in [
            claim("1"), claim("1", "bob"), claim("1", "ada", "Refund"), claim("2"),
            claim("1", "b\0b"), claim("1", "b"), claim("1", long), claim("1", long + "a"),
            claim("1", "'; DROP TABLE plugboard_key; --"), claim("1", "é"),
            claim("1", "e\u{301}"),
        ] {
            let first = try await word(records, claim)
            #expect(first == "reserved")
            let second = try await word(records, claim, for: "b")
            #expect(second == "held")
        }
    }

    @Test(
        "a key is free again after a day, and its record is removed later",
        arguments: KeyPlace.allCases
    )
    func age(_ place: KeyPlace) async throws {
        let store = try KeyStore(place)
        let records = try store.records()
        var told = [try await word(records, claim("1"))]
        for key in ["2", "3"] {
            _ = try await word(records, claim(key, "", from: "192.0.2.1"))
        }
        try await records.finish(one, answer("yes"), for: "a")
        store.wait(SQLiteIdempotency.age - 60)
        told.append(try await word(records, claim("1"), for: "b"))
        store.wait(61)
        told.append(try await word(records, IdempotencyClaim(one, [2]), for: "b"))
        told.append(try await word(records, claim("1"), for: "b"))
        #expect(told == ["reserved", "201 A: b\r\nyes", "reserved", "mismatch"])
        try await records.forget(one, for: "b")
        // What is over goes in the course of others, sooner or later.
        var sizes = try await store.sizes()
        var number = 0
        while sizes != [1, 1] {
            number += 1
            _ = try await word(records, claim("\(number)", "bob"))
            try await records.forget(claim("\(number)", "bob").key, for: "a")
            _ = try await word(records, claim("0", "bob"))
            sizes = try await store.sizes()
        }
    }

    @Test(
        "no record is removed early: a caller without room is rejected",
        arguments: KeyPlace.allCases
    )
    func quota(_ place: KeyPlace) async throws {
        let store = try KeyStore(place)
        var room = IdempotencyLimits()
        room.greatest = 3
        let records = try store.records(room)
        func isReserved(_ numbers: ClosedRange<Int>, _ caller: String) async throws -> [Bool] {
            var told: [Bool] = []
            for number in numbers {
                let word = try await word(records, claim("\(number)", caller))
                if word != "reserved" { #expect(word == "own room is full") }
                told.append(word == "reserved")
            }
            return told
        }
        for caller in ["ada", "bob"] {
            let told = try await isReserved(1...5, caller)
            #expect(told == [true, true, true, false, false])
        }
        let elsewhere = try await word(records, claim("1", "ada", "Refund"))
        #expect(elsewhere == "reserved")
        try await records.finish(one, answer("yes"), for: "a")
        let kept = try await word(records, claim("1"))
        #expect(kept == "201 A: b\r\nyes")
        try await records.forget(claim("2").key, for: "a")
        let freed = try await isReserved(6...7, "ada")
        #expect(freed == [true, false])
        store.wait(SQLiteIdempotency.age + 1)
        let later = try await isReserved(1...4, "ada")
        #expect(later == [true, true, true, false])
    }

    @Test(
        "an address gets a share of the free room, and leaves room for new addresses",
        arguments: KeyPlace.allCases
    )
    func fairness(_ place: KeyPlace) async throws {
        let store = try KeyStore(place)
        var room = IdempotencyLimits()
        room.maximumOfUnknown = 36
        let records = try store.records(room)
        var number = 0
        func take(_ address: String) async throws -> String {
            number += 1
            return try await word(records, claim("\(number)", "", from: address))
        }
        func takeAll(_ address: String) async throws -> Int {
            for taken in 0... {
                switch try await take(address) {
                case "reserved": continue
                case "own room is full": return taken
                case let word:
                    Issue.record("\(word)")
                    return taken
                }
            }
            return 0
        }
        var shares: [Int] = []
        for address in ["a", "b", "c", "d"] { shares.append(try await takeAll(address)) }
        #expect(shares == [4, 3, 3, 3])
        // Each new caller gets a share, until nothing is left.
        var newcomers = 36 - shares.reduce(0, +)
        while newcomers > 0 {
            let word = try await take("newcomer \(newcomers)")
            #expect(word == "reserved")
            newcomers -= 1
        }
        let none = try await take("last")
        #expect(none == "full")
        // Who is known has room of their own.
        let known = try await word(records, claim("1"))
        #expect(known == "reserved")
        store.wait(SQLiteIdempotency.age + 1)
        let again = try await takeAll("a")
        #expect(again == 4)
    }

    @Test(
        "a secret or too large response is recorded without its body",
        arguments: KeyPlace.allCases
    )
    func unkept(_ place: KeyPlace) async throws {
        let store = try KeyStore(place)
        let records = try store.records()
        let secret = Response(status: 200, body: .bytes(Array("secret".utf8)))
        let large = Response(
            status: 200,
            body: .bytes(Array(repeating: 0, count: StoredResponse.greatest + 1))
        )
        for (key, answer) in [
            ("1", StoredResponse(secret, isSecret: true)),
            ("2", StoredResponse(large, isSecret: false)),
        ] {
            _ = try await word(records, claim(key))
            try await records.finish(claim(key).key, answer, for: "a")
            #expect(answer.body == nil)
            let told = try await word(records, claim(key), for: "b")
            #expect(told == "unkept")
        }
    }

    @Test(
        "records of another version are rejected, and stay unchanged",
        arguments: KeyPlace.allCases
    )
    func otherVersion(_ place: KeyPlace) async throws {
        let store = try KeyStore(place)
        _ = try await word(store.records(), claim("1"))
        try await store.setVersion(2)
        let sizes = try await store.sizes()
        // A server that starts, with nothing open.
        var server = Server {}
        store.keep(keysOf: &server)
        let error = #expect(throws: StartError.self) { try server.open() }
        #expect(error?.problems.count == 1)
        #expect(
            error?.description.contains("start the version that wrote it, or choose another")
                == true
        )
        #expect(try await store.sizes() == sizes)
    }
}
