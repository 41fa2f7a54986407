/// Invalid settings, each with its location.
package struct SettingsError: Error, Equatable, CustomStringConvertible {
    /// One line for each: `/etc/plugboard.json: /port: expected a number from 0 to 65535, not "80"`.
    package let problems: [String]

    init(_ problems: String...) { self.problems = problems }

    init(_ problems: [String]) { self.problems = problems }

    package var description: String { problems.joined(separator: "\n") }
}
