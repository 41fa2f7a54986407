import Eventually
import HTTPTypes
import Locking
import PlugHTTP
import Testing

@testable import BehaviorClient

@Suite("A behavior client")
struct BehaviorClientTests {
    let folder = TemporaryFolder()
    let transport = ScriptedTransport()
    let log = Locked<[String]>([])

    private func client(
        bundled: String = document("bundled"),
        stores: Bool = true,
        _ change: (inout BehaviorClient.Options) -> Void = { _ in }
    ) -> BehaviorClient {
        var options = BehaviorClient.Options()
        options.transport = transport
        change(&options)
        return BehaviorClient(
            "http://localhost/behaviors.json",
            ModuleCatalog { Banner.self },
            bundled: Array(bundled.utf8),
            storage: stores ? BehaviorStorage(folder: folder.path) : nil,
            options: options
        )
    }

    /// Starts a client and returns what it performed.
    @discardableResult
    private func start(_ client: BehaviorClient) async -> BehaviorPerformance {
        await Banner.$log.withValue(log) { await client.start() }
    }

    private var shown: [String] {
        log.withLock { log in
            defer { log = [] }
            return log
        }
    }

    @Test("performs the bundled document first, then the stored one, offline")
    func offline() async throws {
        do {
            let client = client()
            #expect(await start(client).source == .bundled)
            #expect(shown == ["bundled"])
            transport.add((200, document("fetched"), "\"1\""))
            guard case .stored = try await client.refresh() else {
                Issue.record("nothing was stored")
                return
            }
            // Stable within a session.
            #expect(await start(client).source == .bundled)
            #expect(shown.isEmpty)
            client.close()
        }
        let client = client()
        let performance = await start(client)
        #expect(performance.source == .newest)
        #expect(performance.problems.isEmpty)
        #expect(shown == ["fetched"])
        await #expect(throws: ClientError.self) { try await client.refresh() }
        #expect(transport.requests.last?.headerFields[.ifNoneMatch] == "\"1\"")
    }

    @Test("sends a tag with its own context only")
    func contexts() async throws {
        let client = client { $0.context = ["user": "ada", "plan": "pro"] }
        await start(client)
        transport.add(
            (200, document("ada"), "\"a\""),
            (304, "", nil),
            (200, document("bob"), "\"b\"")
        )
        _ = try await client.refresh()
        await client.setContext(["plan": "pro", "user": "ada"])
        _ = try await client.refresh()
        await client.setContext(["user": "bob"])
        _ = try await client.refresh()
        await client.setContext(["user": "ada", "plan": "pro"])
        transport.add((304, "", nil))
        _ = try await client.refresh()
        await client.setContext([:])
        await #expect(throws: ClientError.self) { try await client.refresh() }
        #expect(
            transport.requests.map { $0.headerFields[.ifNoneMatch] } == [
                nil, "\"a\"", nil, "\"a\"", nil,
            ]
        )
    }

    @Test("never performs another context's document")
    func otherContext() async throws {
        do {
            let client = client { $0.context = ["user": "ada"] }
            transport.add((200, document("ada"), "\"a\""))
            _ = try await client.refresh()
            client.close()
        }
        do {
            let client = client { $0.context = ["user": "bob"] }
            #expect(await start(client).source == .bundled)
            client.close()
        }
        let client = client { $0.context = ["user": "ada"] }
        #expect(await start(client).source == .newest)
        #expect(shown == ["bundled", "ada"])
    }

    @Test("evaluates rules of the bundled document and of a fetched one")
    func rules() async throws {
        let never = document("never", extra: #","when":false"#)
        #expect(await start(client(bundled: never, stores: false)).report.performed.isEmpty)
        let rule = #","when":{"==":[{"var":"plan"},"pro"]}"#
        let pro = client(bundled: document("pro", extra: rule)) { $0.context = ["plan": "pro"] }
        await start(pro)
        #expect(shown == ["pro"])
        let free = client(bundled: document("pro", extra: rule), stores: false)
        #expect(await start(free).report.performed.isEmpty)
        transport.add((200, document("later", extra: rule), nil))
        _ = try await free.refresh()
        let later = await Banner.$log.withValue(log) { await free.performNewest() }
        #expect(later.source == .newest && later.report.performed.isEmpty)
    }

    @Test("rejects an invalid document and continues with the stored one")
    func invalid() async throws {
        let client = client { $0.updates = .immediately }
        await start(client)
        for text in ["<html>", #"[{"name":"A","actions":[],"when":{"nope":1}}]"#, "[1]"] {
            transport.add((200, text, "\"bad\""))
            await #expect(throws: (any Error).self) { try await client.refresh() }
        }
        transport.add((500, "", nil))
        await #expect(throws: Problem.self) { try await client.refresh() }
        #expect(transport.requests.allSatisfy { $0.headerFields[.ifNoneMatch] == nil })
        #expect(shown == ["bundled"])
        #expect(await client.start().source == .bundled)
    }

    @Test("performs a fetched document at once if told so, and an unchanged one never")
    func immediately() async throws {
        let client = client { $0.updates = .immediately }
        await start(client)
        transport.add((200, document("1"), "\"1\""), (304, "", nil), (200, document("1"), "\"2\""))
        let results = try await Banner.$log.withValue(log) {
            [try await client.refresh(), try await client.refresh(), try await client.refresh()]
        }
        guard case .performed(let performance) = results[0], case .unchanged = results[1],
            case .unchanged = results[2]
        else {
            Issue.record("\(results)")
            return
        }
        #expect(performance.source == .newest)
        #expect(shown == ["bundled", "1"])
    }

    @Test("reports calls, skips and failures")
    func reports() async throws {
        let text = #"""
            [{"name":"Banner","actions":[{"func":"show:","value":"a"},{"func":"fail"},{"func":"no"}]},
             {"name":"Nobody","actions":[]}]
            """#
        let report = await start(client(bundled: text)).report
        #expect(report.performed.map(\.function) == ["show:"])
        #expect(report.skipped.map(\.pointer) == ["/0/actions/1", "/0/actions/2", "/1"])
        #expect(report.failed.map(\.reason) == [.threw("no luck")])
    }

    @Test("starts without a storage that it can't use, and says why")
    func unusableStorage() async throws {
        let first = client()
        let second = client()
        let performance = await start(second)
        #expect(performance.source == .bundled)
        #expect(performance.problems.first?.contains("another process uses this storage") == true)
        transport.add((200, document("fetched"), "\"1\""), (304, "", nil))
        _ = try await second.refresh()
        _ = try await second.refresh()
        let later = await Banner.$log.withValue(log) { await second.performNewest() }
        #expect(later.source == .newest)
        #expect(transport.requests.map { $0.headerFields[.ifNoneMatch] } == [nil, "\"1\""])
        #expect(await start(first).problems.isEmpty)
    }

    @Test("starts with an invalid bundled document, an invalid URL and an invalid token")
    func invalidEverything() async throws {
        let broken = BehaviorClient(
            "nonsense",
            ModuleCatalog {},
            bundled: Array("{".utf8),
            storage: nil
        )
        let performance = await broken.start()
        #expect(performance.problems.first?.hasPrefix("the bundled document is invalid") == true)
        await #expect(throws: ClientError.self) { try await broken.refresh() }
        let token = client { $0.token = "a b" }
        await #expect(throws: ClientError.self) { try await token.refresh() }
        #expect(transport.requests.isEmpty)
    }

    @Test("returns to an earlier document if the stored file is damaged, and fetches it whole")
    func damaged() async throws {
        do {
            let client = client()
            transport.add((200, document("1"), "\"1\""), (200, document("2"), "\"2\""))
            _ = try await client.refresh()
            _ = try await client.refresh()
            client.close()
        }
        let name = try #require(
            folder.names.first { name in
                (try? folder.read(name)) == Array(document("2").utf8)
            }
        )
        try folder.write([0x5B], name)
        let client = client()
        let performance = await start(client)
        #expect(shown == ["1"])
        #expect(performance.problems.count == 1)
        transport.add((200, document("2"), "\"2\""))
        _ = try await client.refresh()
        #expect(transport.requests.last?.headerFields[.ifNoneMatch] != "\"2\"")
    }

    @Test("survives a module that ends the app, and reports it once")
    func crashes() async throws {
        let bad = #"[{"name":"Banner","actions":[{"func":"wait"}]},{"name":"Nobody","actions":[]}]"#
        do {
            let client = client()
            transport.add((200, bad, "\"bad\""))
            _ = try await client.refresh()
            client.close()
        }
        for _ in 0..<2 {
            let mark = try await markOfEndedRun()
            try await eventually("the storage is free") {
                (try? StorageFiles(BehaviorStorage(folder: folder.path))) != nil
            }
            try folder.write(mark, "mark")
        }
        let client = client { $0.lifecycle = Lifecycle(lastEnd: .crash) }
        let performance = await start(client)
        #expect(performance.source == .newest)
        #expect(performance.report.skipped.map(\.reason) == [.quarantined, .noSuchModule])
        #expect(performance.guardReports.map(\.kind) == [.crash, .crash, .quarantine])
        transport.add((304, "", nil), (200, document("good"), "\"good\""))
        _ = try await client.refresh()
        let sent = transport.requests.last?.headerFields.first {
            $0.name.rawName == "Plugboard-Guard"
        }
        #expect(sent?.value.contains("quarantine;") == true)
        #expect(sent?.value.contains(#"module="Banner";function="wait""#) == true)
        _ = try await client.refresh()
        #expect(
            transport.requests.last?.headerFields.contains {
                $0.name.rawName == "Plugboard-Guard"
            } == false
        )
        let good = await Banner.$log.withValue(log) { await client.performNewest() }
        #expect(good.report.performed.count == 1)
    }

    /// Returns the mark file of a run that ends while `wait` runs.
    private func markOfEndedRun() async throws -> [UInt8] {
        let client = client { $0.lifecycle = Lifecycle(lastEnd: .crash) }
        let running = Task { await client.start() }
        try await eventually("the function runs") {
            let bytes = try folder.read("mark")
            let records = [bytes.prefix(4_096), bytes.dropFirst(4_096).prefix(4_096)]
            let newest = records.compactMap { CheckedBytes.read($0) }.max { $0.number < $1.number }
            return newest.flatMap { RunMark(bytes: $0.bytes) }?.call?.function == "wait"
        }
        let mark = try folder.read("mark")
        running.cancel()
        _ = await running.value
        return mark
    }

    @Test("fetches until its task is cancelled")
    func polling() async throws {
        let client = client { $0.interval = .seconds(1) }
        transport.add((200, document("1"), "\"1\""), (503, "", nil), (200, document("2"), "\"2\""))
        let running = Task { await client.run() }
        var stored = 0
        for await event in client.events {
            if case .stored = event { stored += 1 }
            if stored == 2 { break }
        }
        running.cancel()
        await running.value
        #expect(transport.requests.count >= 3)
    }

    @Test("stores a bounded number of bytes, however many documents come")
    func bounded() async throws {
        let client = client()
        let long = String(repeating: "x", count: 20_000)
        for number in 0..<40 {
            transport.add((200, document("\(number)\(long)"), "\"\(number)\""))
            await client.setContext(["user": JSON.string("\(number % 7)")])
            _ = try await client.refresh()
        }
        #expect(folder.names.count <= 11)
        #expect(folder.size < 9 * 21_000 + (256 << 10))
    }
}
