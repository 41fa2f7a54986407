import Foundation
import Settings
import Testing

@testable import PlugboardCommand

/// `Documentation/Options.md`, whose tables follow from the declarations.
@Suite("The page of options")
struct OptionsPageTests {
    private static let path = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Documentation/Options.md")

    private static let beginning =
        "<!-- The tables follow from Sources/PlugboardCommand/Options: `make options` writes them. -->"

    @Test("the page has the declared options: if it is outdated, `make options` updates it")
    func page() throws {
        let page = try String(contentsOf: Self.path, encoding: .utf8)
        let place = try #require(page.firstRange(of: Self.beginning))
        let expected = page[..<place.upperBound] + "\n" + Self.tables
        if ProcessInfo.processInfo.environment["PLUGBOARD_TEST_WRITES_OPTIONS"] == "1" {
            try expected.write(to: Self.path, atomically: true, encoding: .utf8)
        } else {
            #expect(page == expected, "run: make options")
        }
    }

    /// A table for each section.
    private static var tables: String {
        ServeOptions.sections.map { section in
            """

            ## \(section.title)
            | option | variable | default | values | meaning |
            |---|---|---|---|---|

            """ + section.options.map(row).joined()
        }.joined()
    }

    private static func row(_ option: ServeOption) -> String {
        let cells = [
            "`\(option.flag)`",
            "`\(option.variable)`",
            standard(of: option),
            option.expected(),
            option.summary,
        ]
        return "| " + cells.map(escaped).joined(separator: " | ") + " |\n"
    }

    private static func standard(of option: ServeOption) -> String {
        if option.form == .bool { return option.defaultText == "true" ? "on" : "off" }
        return option.defaultText.isEmpty ? "none" : option.defaultText
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing("<", with: "&lt;")
    }
}
