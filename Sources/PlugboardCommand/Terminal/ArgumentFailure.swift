import JSONCodec
import System

/// The text of an invalid command line: the error and one hint, without the usage.
struct ArgumentFailure {
    /// The lines for the standard error.
    let lines: [String]

    /// Describes an error of the argument parser.
    ///
    /// - Parameters:
    ///   - message: the error.
    ///   - command: the command's name with those of its parents: `plugboard behaviors publish`.
    ///   - subcommands: the names of its subcommands.
    init(_ message: String, command: String, subcommands: [String]) {
        let texts = message.split(separator: "\n").map { text in
            String(text.drop { $0 == " " })
        }
        lines =
            texts.enumerated().map { ($0 == 0 ? "Error: " : "       ") + $1 }
            + [Self.hint(message, command, subcommands)]
    }

    private static func hint(
        _ message: String,
        _ command: String,
        _ subcommands: [String]
    ) -> String {
        let help = "For help: \(command) --help"
        if let option = quoted(message, after: "Missing value for ") {
            let name = option.prefix { $0 != " " }
            return name.hasPrefix("--")
                ? "If the value begins with a dash, write \(name)=…  \(help)" : help
        }
        if let option = quoted(message, after: "Unknown option "),
            !option.hasPrefix("--") || !message.contains("Did you mean")
        {
            return "If it is an argument, write -- before it.  \(help)"
        }
        if let name = firstUnexpected(message),
            let nearest = nearestName(to: name, among: subcommands)
        {
            return "Did you mean \(nearest)?  \(help)"
        }
        return help
    }

    /// Returns the first unexpected argument: `Unexpected argument 'a'`,
    /// `2 unexpected arguments: 'a', 'b'`.
    private static func firstUnexpected(_ message: String) -> String? {
        let parts = message.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count > 1, parts[0].contains("nexpected argument") else { return nil }
        return String(parts[1])
    }

    /// Returns the text in quotes after a beginning of the message.
    private static func quoted(_ message: String, after beginning: String) -> String? {
        guard message.hasPrefix(beginning + "'") else { return nil }
        return message.dropFirst(beginning.count + 1).split(separator: "'").first.map(String.init)
    }
}
