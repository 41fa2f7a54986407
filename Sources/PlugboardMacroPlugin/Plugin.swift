#if Macros
import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The compiler's plugin: a program that expands the macros.
@main
struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [ViewMacro.self, KeyMacro.self, ModuleMacro.self]
}
#else
/// The program of a build without the trait `Macros`, which no compiler starts.
@main
enum Plugin {
    static func main() {}
}
#endif
