import ArgumentParser

/// What ends a command with status 1: a sentence for people.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// Tells people what is wrong with what they wrote, and ends the command with status 64.
    static func usage(_ text: String) -> ExitCode {
        Output.complain("Error: \(text)")
        return ExitCode(64)
    }
}
