import ArgumentParser
import System

/// An error message that ends a command with status 1.
///
/// ArgumentParser prints it unchanged. The text is escaped first.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = TerminalText.line(description) }

    /// Prints a usage error.
    ///
    /// - Returns: the code to throw, which ends the command with status 64.
    static func usage(_ text: String) -> ExitCode {
        Output.writeError("Error: \(text)")
        return ExitCode(64)
    }
}
