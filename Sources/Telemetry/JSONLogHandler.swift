import System
import Glibc
package import Logging

/// A log handler that writes JSON objects: `time`, `level`, `logger`, `message`, and the metadata.
///
/// Metadata with one of those names is left out.
package struct JSONLogHandler: LogHandler {
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let sink: LogSink

    package init(label: String, level: Logger.Level = .info, sink: LogSink) {
        self.label = label
        logLevel = level
        self.sink = sink
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let given = event.metadata { all.merge(given) { $1 } }
        var line = #"{"time":""#
        line += Self.time()
        line += #"","level":""# + event.level.rawValue + #"","logger":"#
        JSONText.append(label, to: &line)
        line += #","message":"#
        JSONText.append("\(event.message)", to: &line)
        if let error = event.error {
            line += #","error":"#
            JSONText.append("\(error)", to: &line)
        }
        for (key, value) in all.sorted(by: { $0.key < $1.key })
        where !["time", "level", "logger", "message", "error"].contains(key) {
            line += ","
            JSONText.append(key, to: &line)
            line += ":"
            JSONText.append(value, to: &line)
        }
        line += "}\n"
        sink.write(Array(line.utf8))
    }

    /// The current time in RFC 3339 format with milliseconds.
    private static func time() -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var parts = tm()
        gmtime_r(&now.tv_sec, &parts)
        func pad(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let date = [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
        let time = [Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec)]
        return date.map { pad($0, 2) }.joined(separator: "-") + "T"
            + time.map { pad($0, 2) }.joined(separator: ":") + "."
            + pad(now.tv_nsec / 1_000_000, 3) + "Z"
    }
}

/// JSON encoding of log values.
enum JSONText {
    /// Appends a string in quotes (RFC 8259 §7).
    ///
    /// All characters that a terminal obeys are escaped, too.
    static func append(_ text: String, to line: inout String) {
        line += "\""
        for character in text.unicodeScalars {
            switch character {
            case "\"": line += "\\\""
            case "\\": line += "\\\\"
            default: TerminalText.append(character, to: &line)
            }
        }
        line += "\""
    }

    static func append(_ value: Logger.MetadataValue, to line: inout String) {
        switch value {
        case .string(let text): append(text, to: &line)
        case .stringConvertible(let number as Int): line += String(number)
        case .stringConvertible(let flag as Bool): line += flag ? "true" : "false"
        case .stringConvertible(let other): append(other.description, to: &line)
        case .array(let values):
            line += "["
            for (index, value) in values.enumerated() {
                if index > 0 { line += "," }
                append(value, to: &line)
            }
            line += "]"
        case .dictionary(let members):
            line += "{"
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { line += "," }
                append(member.key, to: &line)
                line += ":"
                append(member.value, to: &line)
            }
            line += "}"
        }
    }
}
