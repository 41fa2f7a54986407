import Eventually
import HTTPServer
import Locking
import Logging
import Plug
import PlugHTTP
import TestLog
import Testing

@testable import Plugboard

private class Book: Action<Book.Input, Int>, POST, RequiresIdempotencyKey {
    struct Input: Codable, Sendable { var seat: String }
    static var path: String { "/book" }
    static let calls = Locked<[String: Int]>([:])
    static let gates = Locked<[String: Gate]>([:])
}

/// Records that fail on demand, and count their calls.
private final class Unsteady: IdempotencyRecords {
    let records: any IdempotencyRecords
    let failures = Locked(0)
    let renewals = Locked(0)
    let lookUps = Locked(0)
    /// How many reservations are made and told as errors.
    let losses = Locked(0)

    init(_ records: any IdempotencyRecords) { self.records = records }

    private struct Failure: Error {}

    private func mayFail() throws {
        let fails = failures.withLock { failures in
            failures -= 1
            return failures >= 0
        }
        if fails { throw Failure() }
    }

    func begin(
        _ claim: IdempotencyClaim,
        for run: String
    ) async throws -> IdempotencyKeyState {
        lookUps.withLock { $0 += 1 }
        let standing = try await records.begin(claim, for: run)
        let isLost = losses.withLock { losses in
            losses -= 1
            return losses >= 0
        }
        if isLost { throw Failure() }
        return standing
    }

    func finish(_ key: IdempotencyKey, _ answer: StoredResponse, for run: String) async throws {
        try mayFail()
        try await records.finish(key, answer, for: run)
    }

    func forget(_ key: IdempotencyKey, for run: String) async throws {
        try mayFail()
        try await records.forget(key, for: run)
    }

    func renew(_ run: String) async throws {
        renewals.withLock { $0 += 1 }
        try await records.renew(run)
    }
}

/// Records that keep nothing, at once.
private struct Forgetful: IdempotencyRecords {
    func begin(_ claim: IdempotencyClaim, for run: String) -> IdempotencyKeyState { .reserved }
    func finish(_ key: IdempotencyKey, _ answer: StoredResponse, for run: String) {}
    func forget(_ key: IdempotencyKey, for run: String) {}
    func renew(_ run: String) {}
}

@Suite("Retries at another server", .timeLimit(.minutes(10)))
struct IdempotencyServersTests {
    private let logger = Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }
    private let claim = IdempotencyClaim(.init(caller: "ada", action: "Pay", key: "1"), [1])

    private func server(_ store: KeyStore) -> Server {
        Book.self <~ { input async in
            let number = Book.calls.withLock { calls in
                calls[input.seat, default: 0] += 1
                return calls[input.seat] ?? 0
            }
            if let gate = Book.gates.withLock({ $0[input.seat] }) { await gate.pass() }
            return number
        }
        var server = Server { Book.self }
        store.keep(keysOf: &server)
        return server
    }

    private func book(_ site: Site, _ seat: String, _ key: String) async throws -> Answer {
        let field = ("Idempotency-Key", "\"\(key)\"")
        return try await site.post("/book", #"{"seat":"\#(seat)"}"#, [field])
    }

    @Test(
        "100 concurrent requests at two servers run once, also after a restart",
        arguments: KeyPlace.allCases
    )
    func together(_ place: KeyPlace) async throws {
        let store = try KeyStore(place)
        let seat = "together \(place)"
        let gate = Gate()
        Book.gates.withLock { $0[seat] = gate }
        try await serving(server(store)) { one in
            try await serving(server(store)) { other in
                let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                    for number in 0..<100 {
                        let site = number % 2 == 0 ? one : other
                        group.addTask { try await book(site, seat, "1") }
                    }
                    gate.open()
                    return try await group.reduce(into: [Answer]()) { $0.append($1) }
                }
                #expect(answers.count == 100)
                #expect(answers.allSatisfy { $0.status == 200 && $0.text == "1" })
                let mismatch = try await book(other, "another", "1")
                #expect(mismatch.status == 422)
            }
        }
        try await serving(server(store)) { site in
            let again = try await book(site, seat, "1")
            #expect(again.text == "1")
        }
        #expect(Book.calls.withLock { $0[seat] } == 1)
    }

    @Test(
        "a request that another server crashed on isn't repeated: the response is a 409",
        arguments: KeyPlace.allCases
    )
    func crashed(_ place: KeyPlace) async throws {
        let store = try KeyStore(place)
        let dead = try await store.records().begin(claim, for: "dead")
        guard case .reserved = dead else {
            Issue.record("it isn't reserved")
            return
        }
        let idempotency = Idempotency(try store.records())
        store.wait(SQLiteIdempotency.lease + 1)
        for _ in 0..<2 {
            let answer = await idempotency.answer(claim, logger) {
                Issue.record("it is done again")
                return .init(status: 200)
            }
            #expect(answer.status == 409)
        }
    }

    @Test(
        "a retry waits for another server's response, or runs if that server failed",
        arguments: KeyPlace.allCases,
        [UInt16(201), 500]
    )
    func held(_ place: KeyPlace, _ status: UInt16) async throws {
        let store = try KeyStore(place)
        let (one, gate, calls) = (Idempotency(try store.records()), Gate(), Locked(0))
        let watched = Unsteady(try store.records())
        let other = Idempotency(watched)
        let begun = Gate()
        async let first = one.answer(claim, logger) {
            begun.open()
            await gate.pass()
            return .init(status: status)
        }
        await begun.pass()
        async let second = other.answer(claim, logger) {
            calls.withLock { $0 += 1 }
            return .init(status: 202)
        }
        try await eventually("a second look") { watched.lookUps.withLock { $0 } >= 2 }
        gate.open()
        let answers = await [first.status, second.status]
        #expect(answers == [status, status == 500 ? 202 : 201])
        #expect(calls.withLock { $0 } == (status == 500 ? 1 : 0))
    }

    @Test(
        "a key reserved in spite of an error is freed as soon as the records are available",
        arguments: KeyPlace.allCases,
        [0, 2]
    )
    func doubtful(_ place: KeyPlace, _ failures: Int) async throws {
        let store = try KeyStore(place)
        let records = Unsteady(try store.records())
        records.losses.withLock { $0 = 1 }
        records.failures.withLock { $0 = failures }
        let one = Idempotency(records)
        let lost = await one.answer(claim, logger) {
            Issue.record("nothing is done with a key that isn't known to be reserved")
            return .init(status: 200)
        }
        #expect(lost.status == 503)
        let other = Idempotency(try store.records())
        let done = await other.answer(claim, logger) { .init(status: 201) }
        #expect(done.status == 201)
        // Where it took several attempts, it isn't known at once that the last one was taken.
        var again = Response(status: 503)
        try await eventually("the key is known to be free") {
            again = await one.answer(claim, logger) { .init(status: 202) }
            return again.status != 503
        }
        #expect(again.status == 201)
    }

    @Test("unavailable records are logged once, and once more when they are available again")
    func told() async throws {
        let (journal, records) = (Journal(), Unsteady(try KeyStore(.sqlite).records()))
        records.losses.withLock { $0 = 3 }
        let idempotency = Idempotency(records)
        var statuses: [UInt16] = []
        for number in 0..<5 {
            let key = IdempotencyKey(caller: "ada", action: "Pay", key: "\(number)")
            let answer = await idempotency.answer(.init(key, [1]), journal.logger) {
                .init(status: 201)
            }
            statuses.append(answer.status)
        }
        #expect(statuses == [503, 503, 503, 201, 201])
        #expect(journal.lines.map { $0.hasPrefix("error: ") } == [true, false])
        #expect(journal.lines.last == "info: idempotency keys: available again")
    }

    @Test("callers with names that look the same have separate keys")
    func lookalikes() {
        let names = ["é", "e\u{301}"]
        let keys = names.map { IdempotencyKey(caller: $0, action: "Pay", key: "1") }
        #expect(names[0] == names[1])
        #expect(keys[0] != keys[1])
        #expect(Set(keys).count == 2)
    }

    @Test("cancelling the wait for another server ends it with a 503")
    func impatient() async throws {
        let store = try KeyStore(.sqlite)
        _ = try await store.records().begin(claim, for: "other")
        let watched = Unsteady(try store.records())
        let idempotency = Idempotency(watched)
        let waiting = Task { [claim, logger] in
            await idempotency.answer(claim, logger) { .init(status: 200) }
        }
        try await eventually("a second look") { watched.lookUps.withLock { $0 } >= 2 }
        waiting.cancel()
        let answer = await waiting.value
        #expect(answer.status == 503)
    }

    @Test("a claim is renewed while its request runs, and not longer")
    func beating() async throws {
        let store = try KeyStore(.sqlite)
        let records = Unsteady(try store.records())
        weak var beating: Idempotency?
        let told: Int
        do {
            let idempotency = Idempotency(records, beat: .milliseconds(1))
            beating = idempotency
            let answer = await idempotency.answer(claim, logger) {
                // A missing beat is reported below: an error here would become a response.
                try? await eventually("a third beat") { records.renewals.withLock { $0 } >= 3 }
                return .init(status: 200)
            }
            #expect(answer.status == 200)
            told = records.renewals.withLock { $0 }
            #expect(told >= 3)
        }
        // What says it holds it, and lets it go when there is nothing more to say.
        try await eventually("the last beat") { beating == nil }
        // It may have been about to say it when the key was freed.
        #expect(records.renewals.withLock { $0 } <= told + 1)
    }

    @Test(
        "24 concurrent callers with changing keys all get the responses to their own requests"
    )
    func crowd() async throws {
        let (callers, rounds) = (24, 400)
        let idempotency = Idempotency(Forgetful())
        let (answers, continuation) = AsyncStream.makeStream(of: (UInt8, Response).self)
        for caller in 0..<callers {
            // Not a child: one that waits for ever would have the test wait, too.
            Task.detached { [logger] in
                for round in 0..<rounds {
                    let request = UInt8((caller + round) % 2)
                    let key = IdempotencyKey(caller: "ada", action: "Pay", key: "\(round / 8)")
                    // A failure is for those who wait, and frees the key at once.
                    let status: UInt16 = round % 3 == 0 ? 200 : 500
                    let answer = await idempotency.answer(.init(key, [request]), logger) {
                        await Task.yield()
                        return Response(status: status, body: .bytes([request]))
                    }
                    continuation.yield((request, answer))
                }
            }
        }
        let foreign = try await soon("\(callers * rounds) answers") {
            var (count, foreign) = (0, 0)
            for await (request, answer) in answers {
                if answer.status != 422, case .bytes(let bytes) = answer.body, bytes != [request] {
                    foreign += 1
                }
                count += 1
                if count == callers * rounds { break }
            }
            guard count == callers * rounds else { throw CancellationError() }
            return foreign
        }
        #expect(foreign == 0)
    }

    @Test(
        "a response that can't be stored is still sent, and stored as soon as possible",
        arguments: [UInt16(200), 401]
    )
    func unwritten(_ status: UInt16) async throws {
        let store = try KeyStore(.sqlite)
        let records = Unsteady(try store.records())
        records.failures.withLock { $0 = .max }
        let idempotency = Idempotency(records)
        let calls = Locked(0)
        func ask(_ idempotency: Idempotency) async -> UInt16 {
            await idempotency.answer(claim, logger) {
                calls.withLock { $0 += 1 }
                return .init(status: status)
            }.status
        }
        let first = await ask(idempotency)
        #expect(first == status)
        let meanwhile = await ask(idempotency)
        #expect(meanwhile == (status == 200 ? 200 : 503))
        #expect(calls.withLock { $0 } == 1)
        records.failures.withLock { $0 = 0 }
        // Another server waits until the records allow it.
        let elsewhere = await ask(Idempotency(try store.records()))
        #expect(elsewhere == status)
        #expect(calls.withLock { $0 } == (status == 200 ? 1 : 2))
    }
}
