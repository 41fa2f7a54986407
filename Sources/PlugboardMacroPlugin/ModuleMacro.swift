#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Module`: the functions and the conformance of a module.
enum ModuleMacro {
    /// Returns the class; nil if the declaration can't be a module.
    private static func module(
        _ declaration: some DeclGroupSyntax,
        _ node: AttributeSyntax,
        _ faults: Faults
    ) -> ClassDeclSyntax? {
        guard let module = declaration.as(ClassDeclSyntax.self) else {
            faults.add("@Module makes a module of a final class. Declare one.", at: node)
            return nil
        }
        if !module.modifiers.contains(.final) {
            let keyword = module.classKeyword
            faults.add(
                "A module is a final class. Add `final`.",
                at: keyword,
                remedy: "Add `final`",
                replacing: keyword,
                with: keyword.with(\.tokenKind, .identifier("final class"))
            )
            return nil
        }
        if let parameters = module.genericParameterClause {
            faults.add(
                "A module has no type parameters, since its functions are static.",
                at: parameters
            )
            return nil
        }
        if module.attributes.hasGlobalActor {
            faults.add(
                "A catalog creates modules on no actor. Isolate the methods instead of the class.",
                at: module.attributes
            )
            return nil
        }
        return module
    }
}

extension ModuleMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        let faults = Faults(context)
        guard let module = module(declaration, node, faults) else { return [] }
        let access = module.modifiers.access
        let name = module.name.trimmedDescription
        var members: [DeclSyntax] = []
        let lines = functions(of: module, faults).flatMap { $0.lines(in: name) }
        let list = lines.map { "\n    \($0)," }.joined() + (lines.isEmpty ? "" : "\n")
        members.append(
            "\(raw: access)static let functions: [Function<\(raw: name)>] = [\(raw: list)]"
        )
        if needsInitializer(module, faults) { members.append("\(raw: access)init() {}") }
        return members
    }

    /// Returns the methods for behaviors, and reports the faults of all.
    private static func functions(of module: ClassDeclSyntax, _ faults: Faults) -> [ModuleMethod] {
        var names: Set<String> = []
        var methods: [ModuleMethod] = []
        let isSendable =
            module.inheritanceClause?.inheritedTypes.contains {
                $0.type.trimmedDescription.hasSuffix("Sendable")
            } ?? false
        for item in module.memberBlock.members {
            if let variable = item.decl.as(VariableDeclSyntax.self), variable.modifiers.isStatic,
                let pattern = variable.bindings.first?.pattern,
                pattern.trimmedDescription == "functions"
            {
                faults.add("@Module writes `functions`. Remove one of both.", at: pattern)
            }
            guard let function = item.decl.as(FunctionDeclSyntax.self),
                let method = ModuleMethod(function, faults)
            else { continue }
            if function.attributes.hasGlobalActor, !isSendable {
                faults.add(
                    "An actor's method needs a Sendable class. Add `Sendable`, or use MainActor.run in the method.",
                    at: function.attributes
                )
            }
            if let name = method.names.first(where: { !names.insert($0).inserted }) {
                faults.add(
                    "Another method has the name \"\(name)\" in behaviors. "
                        + "Rename one of both, or make it private.",
                    at: function.name
                )
            }
            methods.append(method)
        }
        return methods
    }

    /// Whether the class has no initializer that a catalog in another module can call.
    private static func needsInitializer(_ module: ClassDeclSyntax, _ faults: Faults) -> Bool {
        let initializers = module.memberBlock.members.compactMap {
            $0.decl.as(InitializerDeclSyntax.self)
        }
        guard let first = initializers.first else { return !module.modifiers.access.isEmpty }
        if initializers.allSatisfy({ !$0.signature.parameterClause.parameters.isEmpty }) {
            faults.add("A catalog creates modules without arguments. Add `init()`.", at: first)
        }
        return false
    }
}

extension ModuleMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        // It is empty if the class declares the conformance itself.
        guard !protocols.isEmpty, module(declaration, node, .reportedElsewhere) != nil else {
            return []
        }
        return [try ExtensionDeclSyntax("extension \(type.trimmed): Module {}")]
    }
}
#endif
