#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The errors of an expansion, which the compiler shows at their places.
struct Faults {
    private let report: (Diagnostic) -> Void

    init(_ context: some MacroExpansionContext) { report = { context.diagnose($0) } }

    /// Faults that another macro of the same declaration reports.
    static var reportedElsewhere: Faults { Faults() }

    private init() { report = { _ in } }

    /// Reports an error.
    func add(_ message: String, at node: some SyntaxProtocol) {
        report(Diagnostic(node: node, message: MacroExpansionErrorMessage(message)))
    }

    /// Reports an error with a remedy that the editor can apply.
    func add(
        _ message: String,
        at node: some SyntaxProtocol,
        remedy: String,
        replacing old: some SyntaxProtocol,
        with new: some SyntaxProtocol
    ) {
        let fix = FixIt.replace(
            message: MacroExpansionFixItMessage(remedy),
            oldNode: old,
            newNode: new
        )
        report(Diagnostic(node: node, message: MacroExpansionErrorMessage(message), fixIt: fix))
    }
}
#endif
