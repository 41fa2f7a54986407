#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

/// A method that a behavior may call.
struct ModuleMethod {
    /// The names in behaviors: the method's, and its selector if it has a parameter.
    var names: [String]
    private var method: TokenSyntax
    private var parameter: FunctionParameterSyntax?
    /// `try` and `await`, as far as a call needs them.
    private var effects: String

    /// Reads a method; nil if it isn't for behaviors, or has a fault.
    init?(_ function: FunctionDeclSyntax, _ faults: Faults) {
        let modifiers = function.modifiers
        guard !modifiers.isStatic, !modifiers.contains(.private), !modifiers.contains(.fileprivate)
        else { return nil }
        guard Self.isCallable(function, faults) else { return nil }
        let signature = function.signature
        method = function.name.trimmed
        parameter = signature.parameterClause.parameters.first
        names = [function.name.plainText]
        if let parameter {
            let label = parameter.firstName.tokenKind == .wildcard ? nil : parameter.firstName
            names.append(SelectorName.selector(names[0], label: label?.plainText))
        }
        let specifiers = signature.effectSpecifiers
        let isAsync = specifiers?.asyncSpecifier != nil || function.attributes.hasGlobalActor
        let mayThrow = specifiers?.throwsClause.map { $0.type?.trimmedDescription != "Never" }
        effects = (mayThrow == true ? "try " : "") + (isAsync ? "await " : "")
    }

    /// Returns the lines of a module's list of functions.
    func lines(in module: String) -> [String] {
        names.map { name in "Function(\(StringLiteralExprSyntax(content: name))) \(closure(module))"
        }
    }

    private func closure(_ module: String) -> String {
        guard let parameter else {
            return "{ (module: \(module)) in \(effects)module.\(method)() }"
        }
        let type = parameter.type.as(AttributedTypeSyntax.self)?.baseType ?? parameter.type
        let label =
            parameter.firstName.tokenKind == .wildcard ? "" : "\(parameter.firstName.trimmed): "
        let call = "\(effects)module.\(method)(\(label)value)"
        guard parameter.defaultValue != nil, !type.is(OptionalTypeSyntax.self) else {
            return "{ (module: \(module), value: \(type.trimmed)) in \(call) }"
        }
        let types = "(module: \(module), value: (\(type.trimmed))?)"
        let bare = "\(effects)module.\(method)()"
        return "{ \(types) in if let value { \(call) } else { \(bare) } }"
    }

    private static func isCallable(_ function: FunctionDeclSyntax, _ faults: Faults) -> Bool {
        let parameters = function.signature.parameterClause.parameters
        if let second = parameters.dropFirst().first {
            faults.add(
                "A behavior passes one value. Take a struct with all of them, or make the method private.",
                at: second
            )
            return false
        }
        if let generics = function.genericParameterClause {
            faults.add(
                "A behavior's value has one type. Remove the type parameters, or make the method private.",
                at: generics
            )
            return false
        }
        if let result = function.signature.returnClause?.type,
            !["Void", "()", "Swift.Void"].contains(result.trimmedDescription)
        {
            faults.add(
                "A behavior uses no result. Remove it, or make the method private.",
                at: result
            )
            return false
        }
        guard let parameter = parameters.first else { return true }
        let isInout =
            parameter.type.as(AttributedTypeSyntax.self)?.specifiers.contains {
                $0.trimmedDescription == "inout"
            } ?? false
        if isInout || parameter.ellipsis != nil || parameter.type.is(SomeOrAnyTypeSyntax.self) {
            faults.add(
                "A behavior passes one value of a Decodable type. Change the type, or make the method private.",
                at: parameter
            )
            return false
        }
        return true
    }
}
#endif
