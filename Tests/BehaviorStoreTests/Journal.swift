import Locking
import Logging

/// A log that a test reads.
final class Journal: Sendable {
    private let kept = Locked<[String]>([])
    private let continuation: AsyncStream<String>.Continuation
    let stream: AsyncStream<String>

    init() { (stream, continuation) = AsyncStream.makeStream() }

    var lines: [String] { kept.withLock { $0 } }

    var logger: Logger { Logger(label: "test") { _ in Handler(journal: self) } }

    fileprivate func add(_ line: String) {
        kept.withLock { $0.append(line) }
        continuation.yield(line)
    }
}

private struct Handler: LogHandler {
    let journal: Journal
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel = Logger.Level.trace

    init(journal: Journal) { self.journal = journal }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { journal.add("\(event.level): \(event.message)") }
}
