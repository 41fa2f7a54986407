import Locking
package import Logging

/// A log that a test reads.
package final class Journal: Sendable {
    private let kept = Locked<[String]>([])
    private let continuation: AsyncStream<String>.Continuation
    /// The lines as they come, for one reader.
    package let stream: AsyncStream<String>

    package init() { (stream, continuation) = AsyncStream.makeStream() }

    package var lines: [String] { kept.withLock { $0 } }

    /// A logger that writes here, `error: what happened`, and behind it what its metadata is.
    package var logger: Logger { Logger(label: "test") { _ in Handler(journal: self) } }

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

    func log(event: LogEvent) {
        let metadata = (event.metadata ?? [:]).sorted { $0.key < $1.key }
            .map { " \($0.key)=\($0.value)" }.joined()
        journal.add("\(event.level): \(event.message)\(metadata)")
    }
}
