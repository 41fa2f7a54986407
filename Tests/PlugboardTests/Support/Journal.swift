import Locking
import Logging

/// A log that a test reads.
final class Journal: Sendable {
    private let kept = Locked<[String]>([])
    private let continuation: AsyncStream<String>.Continuation
    /// The lines as they come, for one reader.
    let stream: AsyncStream<String>

    init() { (stream, continuation) = AsyncStream.makeStream() }

    var lines: [String] { kept.withLock { $0 } }

    /// A logger that writes here, `error: what happened`, and behind it what its metadata is.
    var logger: Logger { Logger(label: "test") { _ in Handler(journal: self) } }

    /// Waits for a line that holds a text.
    func line(with text: String) async throws -> String {
        let stream = stream
        return try await soon("a log line with \(text)") {
            for await line in stream where line.contains(text) { return line }
            throw CancellationError()
        }
    }

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
