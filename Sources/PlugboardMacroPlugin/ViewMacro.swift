#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@View`: the content, the list of keys and the conformance; `@Key` for each property.
enum ViewMacro {
    /// Returns the struct; nil if the declaration is none, or has type parameters.
    private static func view(
        _ declaration: some DeclGroupSyntax,
        _ node: AttributeSyntax,
        _ faults: Faults
    ) -> StructDeclSyntax? {
        guard let structure = declaration.as(StructDeclSyntax.self) else {
            faults.add("@View makes a view of a struct. Declare one.", at: node)
            return nil
        }
        if let parameters = structure.genericParameterClause {
            faults.add("A view has no type parameters, since its keys are static.", at: parameters)
            return nil
        }
        return structure
    }
}

extension ViewMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        let faults = Faults(context)
        guard let structure = view(declaration, node, faults) else { return [] }
        let access = structure.modifiers.access
        let keys = ViewProperty.all(in: structure, faults).map { "Self.\($0.name)" }
        return [
            """
            \(raw: access)static let keys: [any AnyViewKey] = [\(raw: keys.joined(separator: ", "))]
            """,
            "\(raw: access)var content: ViewContent",
            "\(raw: access)init(content: ViewContent) { self.content = content }",
        ]
    }
}

extension ViewMacro: MemberAttributeMacro {
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [AttributeSyntax] {
        guard view(declaration, node, .reportedElsewhere) != nil,
            let variable = member.as(VariableDeclSyntax.self),
            variable.attributes.named("Key") == nil,
            ViewProperty(variable, .reportedElsewhere) != nil
        else { return [] }
        return ["@Key"]
    }
}

extension ViewMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        // It is empty if the struct declares the conformance itself.
        guard !protocols.isEmpty, view(declaration, node, .reportedElsewhere) != nil else {
            return []
        }
        return [try ExtensionDeclSyntax("extension \(type.trimmed): JSONView {}")]
    }
}
#endif
