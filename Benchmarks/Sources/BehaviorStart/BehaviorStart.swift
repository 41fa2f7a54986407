import BehaviorClient
import Foundation
import HTTPTypes
import Synchronization

/// The time from a client's creation to the first function, beside reading and decoding the file.
///
/// The client also opens its storage, judges the last run, checks the file's digest, compiles the
/// rules and writes its marks. It fails if that takes more than twice as long.
@main
struct BehaviorStart {
    static func main() async throws {
        var isFast = true
        for moduleCount in [10, 100, 900] {
            isFast = try await measureStart(moduleCount) && isFast
        }
        for durability in [BehaviorStorage.Durability.process, .system] {
            try await measureMark(durability)
        }
        guard isFast else { exit(1) }
    }

    private static func measureStart(_ moduleCount: Int) async throws -> Bool {
        let folder = NSTemporaryDirectory() + "behavior-start-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let text = document(moduleCount)
        let client = client(folder, text)
        await client.start()
        _ = try await client.refresh()
        client.close()
        let file = folder + "/plain.json"
        try Data(text).write(to: URL(fileURLWithPath: file))

        var (plain, start): ([Double], [Double]) = ([], [])
        for _ in 0..<101 {
            let begin = ContinuousClock.now
            let decoded = try BehaviorDocument(json: read(file))
            plain.append(microseconds(since: begin))
            precondition(decoded.modules.count == moduleCount)
            start.append(try await timeToFirstFunction(folder))
        }
        let (middle, whole) = (median(plain), median(start))
        let ratio = whole / middle
        print(
            "\(text.count / 1024) KiB: read and decode \(Int(middle)) µs, "
                + "start to the first function \(Int(whole)) µs, \(hundredths(ratio)) times"
        )
        return ratio <= 2
    }

    private static func timeToFirstFunction(_ folder: String) async throws -> Double {
        let begin = ContinuousClock.now
        First.began.store(0, ordering: .relaxed)
        let client = client(folder, [])
        let performance = await client.start()
        precondition(
            performance.source == .newest && performance.problems.isEmpty,
            "\(performance)"
        )
        client.close()
        let nanoseconds = First.began.load(ordering: .relaxed)
        let elapsed = First.epoch.advanced(by: .nanoseconds(nanoseconds)) - begin
        return microseconds(elapsed)
    }

    /// Prints the cost of the mark that each function's call writes.
    private static func measureMark(_ durability: BehaviorStorage.Durability) async throws {
        let count = durability == .process ? 10_000 : 200
        let actions = Array(repeating: #"{"func":"nothing"}"#, count: count).joined(separator: ",")
        let text = Array("[{\"name\":\"First\",\"actions\":[\(actions)]}]".utf8)
        let catalog = ModuleCatalog { First.self }
        let document = try BehaviorDocument(json: text)
        var begin = ContinuousClock.now
        _ = await catalog.perform(document)
        let plain = microseconds(since: begin)
        let folder = NSTemporaryDirectory() + "behavior-mark-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let client = BehaviorClient(
            "http://localhost",
            catalog,
            bundled: text,
            storage: BehaviorStorage(folder: folder, durability: durability)
        )
        begin = ContinuousClock.now
        _ = await client.start()
        let cost = (microseconds(since: begin) - plain) / Double(count)
        print(
            "the mark of a function, durable over the end of the \(durability): \(hundredths(cost)) µs"
        )
    }

    private static func client(_ folder: String, _ fetched: [UInt8]) -> BehaviorClient {
        var options = BehaviorClient.Options()
        options.transport = Fetched(bytes: fetched)
        return BehaviorClient(
            "http://localhost",
            ModuleCatalog { First.self },
            bundled: Array("[]".utf8),
            storage: BehaviorStorage(folder: folder),
            options: options
        )
    }

    private static func document(_ moduleCount: Int) -> [UInt8] {
        let actions = (0..<10).map { #"{"func": "show\#($0)", "value": {"text": "Hello \#($0)"}}"# }
        let others = (1..<moduleCount).map { number in
            #"{"name": "App.Banner\#(number)", "actions": [\#(actions.joined(separator: ", "))]}"#
        }
        let first = #"{"name": "First", "actions": [{"func": "begin"}]}"#
        return Array("[\(([first] + others).joined(separator: ",\n "))]".utf8)
    }

    private static func read(_ path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        var info = stat()
        fstat(descriptor, &info)
        return [UInt8](unsafeUninitializedCapacity: Int(info.st_size)) { buffer, count in
            count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
        }
    }

    private static func microseconds(since begin: ContinuousClock.Instant) -> Double {
        microseconds(ContinuousClock.now - begin)
    }

    private static func microseconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) * 1e6 + Double(duration.components.attoseconds) / 1e12
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private static func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}

/// A module whose first function records its time.
final class First: Module {
    static let epoch = ContinuousClock.now
    static let began = Atomic<Int64>(0)

    static let functions: [Function<First>] = [
        Function("begin") { _ in
            let elapsed = ContinuousClock.now - epoch
            began.store(
                elapsed.components.seconds * 1_000_000_000
                    + elapsed.components.attoseconds / 1_000_000_000,
                ordering: .relaxed
            )
        },
        Function("nothing") { _ in },
    ]
}

/// A transport without a network.
struct Fetched: Transport {
    let bytes: [UInt8]

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> (HTTPResponse, [UInt8]) {
        (HTTPResponse(status: .ok), bytes)
    }
}
