import ArgumentParser
import Glibc
import PlugboardClient
import System

/// The app's screen.
///
/// Titles, messages and errors come from servers and documents: their control characters are escaped.
enum Terminal {
    /// Prints a line.
    static func print(_ text: String) { write(TerminalText.line(text), to: STDOUT_FILENO) }

    /// Prints lines beside the content, such as errors.
    static func notice(_ text: String) { write(TerminalText.lines(text), to: STDERR_FILENO) }

    /// Prints the prompt of the interactive app.
    static func prompt() { _ = Descriptors.write(Array("photos> ".utf8), to: STDOUT_FILENO) }

    /// Prints an error's words, if it isn't one of the options, and returns the command's end.
    static func failure(_ error: any Error) -> any Error {
        guard !isUsage(error) else { return error }
        notice(words(error))
        return ExitCode.failure
    }

    /// Whether an error is one of options, which has its own words.
    static func isUsage(_ error: any Error) -> Bool {
        error is ValidationError || error is CleanExit || error is ExitCode
            || PhotoApp.exitCode(for: error) == .validationFailure
    }

    /// Returns an error in words for a user: what failed, and what to do.
    static func words(_ error: any Error) -> String {
        switch error {
        case let problem as Problem:
            let detail = problem.detail ?? "status \(problem.status.code)"
            return "The server rejects the request: \(detail)"
        case let error as API.ErrorResponse:
            return "The server rejects the request: status \(error.status.code)"
        case let error as ViewError: return "The server sent something unexpected: \(error)"
        case let error as ClientError: return words(error)
        case is CancellationError: return "Cancelled."
        default: return "\(error)"
        }
    }

    private static func words(_ error: ClientError) -> String {
        switch error.kind {
        case .unreachable: "\(error.message). Check the network and --url."
        case .timedOut: "\(error.message). Try again later."
        case .untrusted: "\(error.message). Check --url."
        case .invalidURL, .invalidInput: error.message
        case .invalidResponse, .tooLarge: "The server sent something unexpected: \(error.message)"
        }
    }

    private static func write(_ text: String, to descriptor: CInt) {
        _ = Descriptors.write(Array((text + "\n").utf8), to: descriptor)
    }
}
