import Foundation
import Glibc
import Logging
import Telemetry
import Testing

@Suite("JSON log lines")
struct JSONLogHandlerTests {
    /// The lines of a logger, one object each.
    private func lines(_ body: (Logger) -> Void) throws -> [[String: Any]] {
        var ends: [CInt] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let sink = try LogSink(ends[1])
        body(Logger(label: "test") { JSONLogHandler(label: $0, sink: sink) })
        #expect(sink.flush(milliseconds: 20_000))
        close(ends[1])
        let text = FileHandle(fileDescriptor: ends[0]).readDataToEndOfFile()
        return try text.split(separator: 0x0A).map {
            try #require(JSONSerialization.jsonObject(with: $0) as? [String: Any])
        }
    }

    @Test("a line has time, level, logger, message and the metadata")
    func line() throws {
        let lines = try lines { logger in
            logger.warning(
                "it \"broke\"",
                metadata: ["status": .stringConvertible(503), "a": ["b"]]
            )
        }
        let line = try #require(lines.first)
        #expect(line["level"] as? String == "warning")
        #expect(line["logger"] as? String == "test")
        #expect(line["message"] as? String == "it \"broke\"")
        #expect(line["status"] as? Int == 503)
        #expect(line["a"] as? [String] == ["b"])
        let time = try #require(line["time"] as? String)
        #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
    }

    @Test("control characters are escaped, so that no text begins a line or controls a terminal")
    func escapes() throws {
        let text = "a\nb\r\u{1B}[31m\u{0}\u{7F}\u{9B}\u{2028}\\\""
        let lines = try lines { $0.info("\(text)", metadata: ["k\n": "\(text)"]) }
        #expect(lines.count == 1)
        #expect(lines.first?["message"] as? String == text)
        #expect(lines.first?["k\n"] as? String == text)
    }

    @Test("lines below the level aren't written, and metadata can't replace a member")
    func levels() throws {
        let lines = try lines { logger in
            logger.debug("no")
            logger.info("yes", metadata: ["level": "critical"])
        }
        #expect(lines.map { $0["message"] as? String } == ["yes"])
        #expect(lines.first?["level"] as? String == "info")
    }

    @Test("a blocked reader doesn't block the server: lines are dropped, counted and reported")
    func slow() throws {
        var ends: [CInt] = [0, 0]
        #expect(pipe(&ends) == 0)
        let sink = try LogSink(ends[1], limit: 64 * 1024)
        let line = Array(String(repeating: "x", count: 1023).utf8) + [0x0A]
        // 64 KiB in the pipe, 64 KiB on their way, 64 KiB that wait: the rest finds no place.
        for _ in 0..<1000 { sink.write(line) }
        #expect(sink.dropped >= 1000 - 3 * 64 - 1)
        #expect(!sink.flush(milliseconds: 1))
        // The thread that writes may tell of what was dropped at once or bit by bit: each line is
        // either read or counted in the end.
        let reader = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        let dropped = sink.dropped
        var text = Data()
        while Self.count(in: text) != (1000 - dropped, dropped) {
            let piece = reader.availableData
            try #require(!piece.isEmpty)
            text += piece
        }
        #expect(sink.flush(milliseconds: 20_000))
        close(ends[1])
    }

    /// The whole lines of `x`, and the sum of what the lines between them say was dropped.
    private static func count(in text: Data) -> (written: Int, told: Int) {
        var (written, told) = (0, 0)
        for line in text.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
            if line.first == UInt8(ascii: "x") {
                written += 1
            } else {
                let line = String(decoding: line, as: UTF8.self)
                told += line.firstMatch(of: /"count":(\d+)/).flatMap { Int($0.1) } ?? 0
            }
        }
        return (written, told)
    }
}
