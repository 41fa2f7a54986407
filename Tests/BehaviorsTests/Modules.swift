import Behaviors
import Locking

/// Collects what the modules would print.
final class Log: Sendable {
    private let lines = Locked<[String]>([])

    @TaskLocal static var current = Log()

    static func write(_ line: String) { current.lines.withLock { $0.append(line) } }

    var text: [String] { lines.withLock { $0 } }

    /// Performs a document and returns its log and the report.
    static func of(
        _ document: BehaviorDocument,
        _ catalog: ModuleCatalog
    ) async -> (log: [String], report: BehaviorReport) {
        let log = Log()
        let report = await $current.withValue(log) { await catalog.perform(document) }
        return (log.text, report)
    }
}

final class MyFirstModule: Module {
    func sayHello() { Log.write("Hello My name is MyFirstModule") }
    func sayGoodBye() { Log.write("GoodBye My name was MyFirstModule") }

    static let functions: [Function<MyFirstModule>] = [
        Function("sayHello") { $0.sayHello() },
        Function("sayGoodBye") { $0.sayGoodBye() },
    ]
}

final class MySecondModule: Module {
    func sayHello() { Log.write("What's up? My name is MySecondModule") }
    func sayGoodBye() { Log.write("See you, My name was MySecondModule") }

    static let functions: [Function<MySecondModule>] = [
        Function("sayHello") { $0.sayHello() },
        Function("sayGoodBye") { $0.sayGoodBye() },
    ]
}

final class MyThirdModule: Module {
    func openUrl(url: String) { Log.write("open \(url)") }

    static let functions: [Function<MyThirdModule>] = [
        Function("openUrlWithUrl:") { $0.openUrl(url: $1) }
    ]
}

/// A module of every kind of function, with state of its own.
final class Everything: Module {
    struct Popup: Codable, Sendable {
        var title: String
        var buttons: [Int]
    }

    enum Color: String, Codable, CaseIterable {
        case red
        case green
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private var count = 0

    func increment() { count += 1 }
    func write() { Log.write("\(count)") }
    func wait() async { await Task.yield() }
    func fail(_ message: String) async throws { throw Failure(description: message) }
    func popup(_ popup: Popup) throws { Log.write("\(popup.title) \(popup.buttons)") }
    func paint(_ color: Color?) async { Log.write(color?.rawValue ?? "none") }
    func cancel() { withUnsafeCurrentTask { $0?.cancel() } }

    static let functions: [Function<Everything>] = [
        Function("increment") { $0.increment() },
        Function("write") { $0.write() },
        Function("write") { _ in Log.write("never") },
        Function("wait") { await $0.wait() },
        Function("fail:") { try await $0.fail($1) },
        Function("popup:") { try $0.popup($1) },
        Function("paint:") { await $0.paint($1) },
        Function("add:") { (module, amount: UInt8) in
            for _ in 0..<amount { module.increment() }
        },
        Function("cancel") { $0.cancel() },
        Function("sleep") { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            try Task.checkCancellation()
        },
    ]
}

final class Renamed: Module {
    static let moduleName = "OldName"
    static let functions: [Function<Renamed>] = [Function("act") { _ in Log.write("acted") }]
}
