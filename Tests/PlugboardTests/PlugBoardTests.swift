import Identity
import JSONCodec
import Locking
import PlugHTTP
import Storage
import Telemetry
import Testing

@testable import Plug
@testable import Plugboard

private class Work: Action<Void, String>, POST { static var path: String { "/work" } }

@Suite("The live figures of actions", .serialized)
struct PlugBoardTests {
    private static let second = 1_000_000_000

    private func requests(_ counts: [Int: Int], errors: Int = 0) -> BoardSample.Requests {
        var requests = BoardSample.Requests()
        for (bucket, count) in counts { requests.counts[bucket] = count }
        requests.errors = errors
        return requests
    }

    private func plug(
        _ revision: Int,
        _ plan: PlugPlan?,
        calls: [String: PlugSample.Calls] = [:],
        unplugged: PlugUnplugged? = nil,
        breakers: [PlugState.Breaker] = [],
        caches: [PlugState.Cache] = []
    ) -> PlugSample {
        PlugSample(
            revision: revision,
            state: PlugState(
                action: "Work",
                plan: plan,
                isLive: true,
                implementations: [.init(name: "a", type: "A"), .init(name: "b", type: "B")],
                breakers: breakers,
                caches: caches,
                unplugged: unplugged
            ),
            calls: calls
        )
    }

    private func calls(_ count: Int, each microseconds: Int64, errors: Int = 0) -> PlugSample.Calls
    {
        var calls = PlugSample.Calls(errors: errors)
        for _ in 0..<count { calls.durations.add(microseconds: microseconds) }
        return calls
    }

    private func figures(_ samples: [BoardSample]) throws -> JSON {
        let actions = Server { Work.self }.actions
        let numbered = samples.map { sample in
            BoardSample(
                at: sample.at,
                requests: sample.requests.isEmpty
                    ? [:] : [actions[0].number: sample.requests.values.first ?? .init()],
                plugs: ["Work": sample.plugs["Work"] ?? plug(0, "a")]
            )
        }
        let board = PlugBoard.board(of: actions, numbered, at: 7)
        #expect(board["at"] == 7)
        return try #require(board["actions"]?["Work"])
    }

    private func sample(
        _ seconds: Int,
        _ requests: BoardSample.Requests? = nil,
        _ plug: PlugSample? = nil
    ) -> BoardSample {
        BoardSample(
            at: seconds * Self.second,
            requests: requests.map { [0: $0] } ?? [:],
            plugs: plug.map { ["Work": $0] } ?? [:]
        )
    }

    @Test("an action's figures are the differences of its counters over the samples' time")
    func actionFigures() throws {
        let work = try figures([
            sample(0, requests([0: 100, 3: 5], errors: 7)),
            sample(30, requests([0: 400, 3: 5], errors: 7)),
            sample(60, requests([0: 694, 3: 11], errors: 37)),
        ])
        #expect(work["rate"] == 10)
        #expect(work["errors"] == 0.5)
        // 594 of 600 took at most 10 µs, so the 99th percentile is their limit.
        #expect(work["p99"] == 10)
        #expect(work["p50"] == 5)
    }

    @Test("without calls, and with the first sample, rates are 0 and durations null")
    func nothing() throws {
        for samples in [
            [sample(5, requests([0: 9]))],
            [sample(5, requests([0: 9])), sample(6, requests([0: 9]))],
            [sample(5), sample(6)],
        ] {
            let work = try figures(samples)
            #expect(work["rate"] == 0 && work["errors"] == 0)
            #expect(work["p50"] == JSON.null && work["p99"] == JSON.null)
        }
    }

    @Test("implementations have their own figures, and the only one of code has the action's")
    func implementations() throws {
        let plan = PlugPlan.split(["a": 50, "b": 50])
        let counted = try figures([
            sample(0, nil, plug(3, plan, calls: ["a": calls(10, each: 5), "b": .init()])),
            sample(
                10,
                nil,
                plug(3, plan, calls: ["a": calls(30, each: 5, errors: 2), "b": .init()])
            ),
        ])
        #expect(counted["revision"] == 3)
        #expect(counted["implementations"]?["a"]?["rate"] == 2)
        #expect(counted["implementations"]?["a"]?["errors"] == 0.2)
        #expect(counted["implementations"]?["b"]?["rate"] == 0)
        let plain = try figures([
            sample(0, requests([0: 0]), plug(0, "a")), sample(10, requests([0: 50]), plug(0, "a")),
        ])
        #expect(plain["implementations"]?["a"]?["rate"] == 5)
        #expect(plain["implementations"]?["b"]?["rate"] == 0)
    }

    @Test("a new plan has new counts: no rate is negative, and its revision is higher")
    func replug() throws {
        let old = plug(1, .split(["a": 1, "b": 99]), calls: ["a": calls(900, each: 5)])
        let new = plug(2, .split(["a": 99, "b": 1]), calls: ["a": calls(40, each: 5)])
        let work = try figures([
            sample(0, requests([0: 0]), old), sample(58, requests([0: 900]), old),
            sample(60, requests([0: 940]), new),
        ])
        #expect(work["revision"] == 2)
        // The action's figures are of the same period, so that they add up.
        #expect(work["seconds"] == 2 && work["rate"] == 20)
        #expect(work["implementations"]?["a"]?["rate"] == 20)
    }

    @Test("a guard's reason is at its implementation, and layers are at their pointers")
    func states() throws {
        let work = try figures([
            sample(
                0,
                nil,
                plug(
                    1,
                    .breaker(.cache(.breaker("a"))),
                    calls: ["a": calls(1, each: 1)],
                    unplugged: PlugUnplugged(plug: "b", reason: "9 of 9 calls failed"),
                    breakers: [
                        .init(at: "/breaker/plug/cache/plug/breaker", state: .open, failures: 5),
                        .init(at: "/breaker", state: .closed, failures: 0),
                    ],
                    caches: [
                        .init(at: "/breaker/plug/cache", entries: 1, bytes: 9, hits: 7, misses: 2)
                    ]
                )
            )
        ])
        #expect(work["implementations"]?["a"]?["note"] == nil)
        #expect(work["implementations"]?["b"]?["note"] == "9 of 9 calls failed")
        #expect(
            work["breakers"] == ["/breaker/plug/cache/plug/breaker": "open", "/breaker": "closed"]
        )
        #expect(work["caches"] == ["/breaker/plug/cache": ["hits": 7, "misses": 2]])
        let plain = try figures([sample(0)])
        #expect(plain["breakers"] == nil && plain["caches"] == nil)
    }

    // MARK: Listening

    private func server(_ folder: TemporaryFolder) -> Server {
        Work.self <~ { "done" }
        var server = Server { Work.self }
        server.configuration.dataFolder = folder["data"]
        return server
    }

    /// A board whose time the test sets.
    private struct Watched {
        let board: PlugBoard
        private let observation: LoopObservation
        private let actions = Server { Work.self }.actions
        private let time = Locked(0)
        private let ticks: AsyncStream<Void>.Continuation

        init() {
            Work.self <~ { "done" }
            let observations = LoopObservations()
            observation = observations.make()
            let (pauses, ticks) = AsyncStream.makeStream(of: Void.self)
            self.ticks = ticks
            board = PlugBoard(
                actions,
                observations,
                now: { [time] in time.withLock { $0 } },
                pause: { for await _ in pauses { break } }
            )
        }

        /// Ends the pause, a second after the previous event.
        func tick() {
            time.withLock { $0 += PlugBoardTests.second }
            ticks.yield()
        }

        func request() {
            observation.begin()
            let key = RequestCounters.Key(
                route: actions[0].number,
                method: 0,
                status: 200,
                isCall: true
            )
            observation.end(key, nanoseconds: 1_000)
        }
    }

    /// The requests per second in an event.
    private func rate(_ event: ServerSentEvent?) throws -> JSON? {
        try JSON(parsing: #require(event).data.utf8)["actions"]?["Work"]?["rate"]
    }

    @Test("a listener gets an event at once and further ones, all listeners the same")
    func listening() async throws {
        let watched = Watched()
        var first: EventStream.AsyncIterator? = watched.board.events().makeAsyncIterator()
        let one = try await first?.next()
        #expect(one?.event == "board" && one?.data.contains(#""Work":{"revision":"#) == true)
        var second: EventStream.AsyncIterator? = watched.board.events().makeAsyncIterator()
        #expect(try await second?.next() == one)
        watched.request()
        watched.tick()
        let next = try await first?.next()
        #expect(try rate(next) == 1)
        #expect(try await second?.next() == next)
        #expect(watched.board.listenerCount == 2)
        (first, second) = (nil, nil)
        #expect(watched.board.listenerCount == 0)
    }

    @Test("an event has the figures of the last 60 seconds")
    func period() async throws {
        let watched = Watched()
        var events = watched.board.events().makeAsyncIterator()
        #expect(try rate(await events.next()) == 0)
        for _ in 0..<60 { watched.request() }
        for second in 1...61 {
            watched.tick()
            let expected = second > 60 ? 0 : (60_000 / Double(second)).rounded() / 1_000
            #expect(try rate(await events.next()) == JSON(floatLiteral: expected), "\(second)")
        }
    }

    @Test("only administrators may listen, with HEAD and other methods as usual")
    func access() async throws {
        let folder = try TemporaryFolder()
        let tokens = TokenStore(Storage.of(folder["data"]))
        let reader = try await tokens.create(name: "", scopes: ["behaviors:read"])
        try await serving(server(folder)) { site in
            let nobody = try await site.get("/plugs/events")
            #expect(nobody.status == 401)
            let other = try await site.get(
                "/plugs/events",
                ("Authorization", "Bearer \(reader.text)")
            )
            #expect(other.status == 403)
            let post = try await site.post("/plugs/events", "{}")
            #expect(post.status == 405)
        }
    }
}
