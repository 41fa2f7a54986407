import TestLog

extension Journal {
    /// Waits for a line that holds a text.
    func line(with text: String) async throws -> String {
        let stream = stream
        return try await soon("a log line with \(text)") {
            for await line in stream where line.contains(text) { return line }
            throw CancellationError()
        }
    }
}
