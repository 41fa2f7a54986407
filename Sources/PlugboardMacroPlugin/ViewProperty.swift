#if Macros
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder

/// A property of a view that reads a member.
struct ViewProperty {
    /// The property's name, with backticks if it has some.
    var name: TokenSyntax
    /// The name in JSON.
    var member: String
    var type: TypeSyntax
    /// The value of a missing member; nil if there is none.
    var fallback: ExprSyntax?
    /// The access of the property and its key, with a space.
    var access: String

    /// The names that each view has.
    private static let reserved: Set<String> = [
        "change", "content", "description", "hashValue", "json", "keys", "mergePatch",
        "replacement",
    ]

    /// Reads a property; nil if it reads no member, or has a fault.
    init?(_ variable: VariableDeclSyntax, _ faults: Faults) {
        let key = variable.attributes.named("Key")
        guard let binding = Self.binding(of: variable, key, faults) else { return nil }
        guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
            faults.add("A view's property has one name. Declare each alone.", at: binding.pattern)
            return nil
        }
        guard !Self.reserved.contains(pattern.identifier.plainText) else {
            let name = pattern.identifier.plainText
            faults.add(
                "Each view has its own `\(name)`. Rename the property: @Key(\"\(name)\") var \(name)Value",
                at: pattern
            )
            return nil
        }
        guard let type = binding.typeAnnotation?.type else {
            faults.add("A view's property has a type. Add it after the name.", at: pattern)
            return nil
        }
        guard let member = Self.member(key, pattern.identifier.plainText, faults) else {
            return nil
        }
        name = pattern.identifier.trimmed
        self.member = member
        self.type = type.trimmed
        let initial = binding.initializer?.value.trimmed
        fallback = initial?.is(NilLiteralExprSyntax.self) == true ? nil : initial
        access = variable.modifiers.declaredAccess
    }

    /// Returns the properties of a struct, and reports their faults.
    static func all(in structure: StructDeclSyntax, _ faults: Faults) -> [ViewProperty] {
        var members: Set<String> = []
        var properties: [ViewProperty] = []
        for item in structure.memberBlock.members {
            guard let variable = item.decl.as(VariableDeclSyntax.self),
                let property = ViewProperty(variable, faults)
            else { continue }
            if !members.insert(property.member).inserted {
                faults.add(
                    "Another property reads the member \"\(property.member)\". Remove one of both.",
                    at: property.name(in: variable)
                )
            }
            properties.append(property)
        }
        return properties
    }

    /// The static key that a view has for the property.
    var key: DeclSyntax {
        let fallback = fallback.map { ", default: \($0)" } ?? ""
        let member = StringLiteralExprSyntax(content: member)
        return """
            \(raw: access)static let \(name) = ViewKey<\(type)>(\(member)\(raw: fallback))
            """
    }

    private func name(in variable: VariableDeclSyntax) -> Syntax {
        variable.bindings.first.map { Syntax($0.pattern) } ?? Syntax(variable)
    }

    /// Returns a stored property's only binding.
    private static func binding(
        of variable: VariableDeclSyntax,
        _ key: AttributeSyntax?,
        _ faults: Faults
    ) -> PatternBindingSyntax? {
        guard let binding = variable.bindings.first else { return nil }
        let isComputed = binding.accessorBlock.map { !$0.observes } ?? false
        if variable.modifiers.isStatic || isComputed {
            if let key {
                let kind = isComputed ? "computed" : "static"
                faults.add("A \(kind) property reads no member. Remove @Key.", at: key)
            }
            return nil
        }
        if variable.bindings.count > 1 {
            faults.add(
                "A view's property has a `var` of its own. Declare each alone.",
                at: variable
            )
            return nil
        }
        if variable.bindingSpecifier.tokenKind == .keyword(.let) {
            faults.add(
                "A view computes its properties, so they can't be `let`. Write `var`.",
                at: variable.bindingSpecifier,
                remedy: "Replace `let` by `var`",
                replacing: variable.bindingSpecifier,
                with: variable.bindingSpecifier.with(\.tokenKind, .keyword(.var))
            )
            return nil
        }
        if let block = binding.accessorBlock {
            faults.add("A view's property has no observers. Remove them.", at: block)
            return nil
        }
        for keyword in [Keyword.lazy, .weak, .unowned] where variable.modifiers.contains(keyword) {
            faults.add(
                "A view computes its properties. Remove `\(keyword)`.",
                at: variable.modifiers
            )
            return nil
        }
        return binding
    }

    /// Returns the name in JSON.
    private static func member(
        _ key: AttributeSyntax?,
        _ property: String,
        _ faults: Faults
    ) -> String? {
        guard let key, case .argumentList(let arguments) = key.arguments,
            let argument = arguments.first?.expression
        else { return property }
        guard let name = argument.as(StringLiteralExprSyntax.self)?.representedLiteralValue else {
            faults.add("A member's name is a string literal without interpolation.", at: argument)
            return nil
        }
        return name
    }
}

extension AccessorBlockSyntax {
    /// Whether it has observers of a stored property.
    fileprivate var observes: Bool {
        guard case .accessors(let accessors) = accessors else { return false }
        return accessors.contains {
            [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
        }
    }
}
#endif
