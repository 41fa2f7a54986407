#if Macros
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import PlugboardMacroPlugin

private let macros: [String: MacroSpec] = [
    "View": MacroSpec(type: ViewMacro.self, conformances: ["JSONView"]),
    "Key": MacroSpec(type: KeyMacro.self),
    "Module": MacroSpec(type: ModuleMacro.self, conformances: ["Module"]),
]

/// Requires an expansion and its errors.
func expectExpansion(
    _ source: String,
    _ expanded: String,
    _ diagnostics: [DiagnosticSpec] = [],
    fixed: String? = nil,
    at location: SourceLocation = #_sourceLocation
) {
    assertMacroExpansion(
        source,
        expandedSource: expanded,
        diagnostics: diagnostics,
        macroSpecs: macros,
        applyFixIts: fixed.map { _ in diagnostics.flatMap(\.fixIts).map(\.message) },
        fixedSource: fixed,
        failureHandler: { Issue.record(Comment(rawValue: $0.message), sourceLocation: location) }
    )
}

/// Requires one error at a place of a source; the expansion is free.
func expectFault(
    _ source: String,
    _ message: String,
    _ line: Int,
    _ column: Int,
    at location: SourceLocation = #_sourceLocation
) {
    var failures: [String] = []
    assertMacroExpansion(
        source,
        expandedSource: source,
        diagnostics: [DiagnosticSpec(message: message, line: line, column: column)],
        macroSpecs: macros,
        failureHandler: { failures.append($0.message) }
    )
    // The test support compares the expansion first, and begins that message so.
    failures.removeAll { $0.hasPrefix("Macro expansion did not produce the expected") }
    for failure in failures {
        Issue.record(Comment(rawValue: failure), sourceLocation: location)
    }
}
#endif
