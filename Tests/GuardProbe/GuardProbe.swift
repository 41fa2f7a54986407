import BehaviorClient
import Glibc
import HTTPTypes

/// An app that performs a document from its storage, prints each step, and may crash.
///
///     GuardProbe STORAGE END [DOCUMENT]
///
/// END is the platform's reason for the last end. DOCUMENT is a file that a fetch returns. The app
/// ends cleanly at the end of its input.
@main
struct GuardProbe {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count > 2, let end = Lifecycle.End(rawValue: arguments[2]) else {
            exit(64)
        }
        var options = BehaviorClient.Options()
        options.lifecycle = Lifecycle(lastEnd: end)
        options.transport = FileTransport(path: arguments.count > 3 ? arguments[3] : nil)
        let client = BehaviorClient(
            "http://localhost/behaviors.json",
            ModuleCatalog {
                Probe<Module0>.self
                Probe<Module1>.self
                Probe<Module2>.self
                Probe<Module3>.self
            },
            bundled: Array(#"[{"name":"Module0","actions":[{"func":"work"}]}]"#.utf8),
            storage: BehaviorStorage(folder: arguments[1]),
            options: options
        )
        let performance = await client.start()
        for report in performance.guardReports { say("guard \(report)") }
        for problem in performance.problems { say("problem \(problem)") }
        for skip in performance.report.skipped {
            say("skipped \(skip.module).\(skip.function ?? ""): \(skip.reason)")
        }
        say("lived \(performance.source.rawValue)")
        if arguments.count > 3 {
            do {
                say("fetched \(try await client.refresh())")
            } catch {
                say("failed \(error)")
            }
        }
        while readLine() != nil {}
        client.handle(.cleanStop)
        say("stopped")
    }
}

/// A module of the app: `work` takes a millisecond, `crash` ends the process.
final class Probe<Name>: Module {
    static var moduleName: String { "\(Name.self)" }

    static var functions: [Function<Probe<Name>>] {
        ["work", "rest", "play"].map { function in
            Function(function) { (_: Probe<Name>, crash: String?) in
                say("begin \(Name.self).\(function)")
                let end = ContinuousClock.now + .milliseconds(2)
                while ContinuousClock.now < end {}
                switch crash {
                case "abort": abort()
                case "trap": fatalError("a fault of the app")
                case "kill": kill(getpid(), SIGKILL)
                case "exit": _exit(0)
                case "segfault": UnsafeMutablePointer<Int>(bitPattern: 16)?.pointee = 1
                default: break
                }
                say("end \(Name.self).\(function)")
            }
        }
    }
}

enum Module0 {}
enum Module1 {}
enum Module2 {}
enum Module3 {}

/// A transport that returns a file.
struct FileTransport: Transport {
    let path: String?

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> (HTTPResponse, [UInt8]) {
        guard let path, let file = fopen(path, "r") else {
            throw ClientError(.unreachable, "the app is offline")
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return (HTTPResponse(status: .ok), Array(bytes.prefix(count)))
    }
}

/// Writes a line at once: a crash loses no earlier line.
private func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}
