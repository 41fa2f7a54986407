#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Key`: the static key and the accessors of a view's property.
enum KeyMacro {
    /// Returns the property of a view; `@View` reports its faults.
    private static func property(_ declaration: some DeclSyntaxProtocol) -> ViewProperty? {
        guard let variable = declaration.as(VariableDeclSyntax.self) else { return nil }
        return ViewProperty(variable, .reportedElsewhere)
    }

    private static func isInView(_ context: some MacroExpansionContext) -> Bool {
        let structure = context.lexicalContext.first?.as(StructDeclSyntax.self)
        return structure?.attributes.named("View") != nil
    }
}

extension KeyMacro: AccessorMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [AccessorDeclSyntax] {
        guard isInView(context), let property = property(declaration) else { return [] }
        return [
            "get { self[Self.\(property.name)] }",
            "set { self[Self.\(property.name)] = newValue }",
        ]
    }
}

extension KeyMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        guard isInView(context) else {
            Faults(context).add(
                "@Key is for a property of a view. Add @View to the struct.",
                at: node
            )
            return []
        }
        return property(declaration).map { [$0.key] } ?? []
    }
}
#endif
