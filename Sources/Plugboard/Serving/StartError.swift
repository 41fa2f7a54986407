import Glibc

/// The reasons why a server can't start.
public struct StartError: Error, CustomStringConvertible {
    /// The reasons, one sentence each.
    public let problems: [String]

    /// The exit status of a process that can't start: 69 (EX_UNAVAILABLE) or 78 (EX_CONFIG).
    package let exitStatus: Int32

    /// Creates an error; `isUnavailable` if the configuration may be right.
    init(problems: [String], isUnavailable: Bool = false) {
        self.problems = problems
        exitStatus = isUnavailable ? 69 : 78
    }

    /// The reasons, one a line.
    public var description: String { problems.joined(separator: "\n") }

    /// Prints the reasons and ends the process.
    ///
    /// An error that the program's top level throws would be a crash with a backtrace.
    func endProcess() -> Never {
        let text = Array(problems.map { "Error: \($0)\n" }.joined().utf8)
        text.withUnsafeBytes { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(exitStatus)
    }
}
