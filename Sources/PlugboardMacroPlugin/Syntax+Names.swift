#if Macros
import SwiftSyntax

extension DeclModifierListSyntax {
    /// Whether one of the modifiers has this keyword, without a detail such as `(set)`.
    func contains(_ keyword: Keyword) -> Bool {
        contains { $0.detail == nil && $0.name.tokenKind == .keyword(keyword) }
    }

    /// The access of generated members that a protocol requires: that of their type, with a space.
    var access: String {
        if contains(.public) || contains(.open) { return "public " }
        return contains(.package) ? "package " : ""
    }

    /// The declared access with a space; empty if there is none.
    var declaredAccess: String {
        let keywords: [Keyword] = [.public, .package, .internal, .fileprivate, .private]
        return keywords.first(where: contains).map { "\($0) " } ?? ""
    }

    /// Whether the declaration belongs to the type rather than to an instance.
    var isStatic: Bool { contains(.static) || contains(.class) }
}

extension AttributeListSyntax {
    /// Returns the attribute of this name.
    func named(_ name: String) -> AttributeSyntax? {
        lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.name == name }
    }

    /// Whether an attribute is a global actor, by Swift's custom for their names.
    var hasGlobalActor: Bool {
        contains { $0.as(AttributeSyntax.self)?.name.hasSuffix("Actor") == true }
    }
}

extension AttributeSyntax {
    /// The name without its module.
    var name: String {
        if let member = attributeName.as(MemberTypeSyntax.self) { return member.name.text }
        return attributeName.trimmedDescription
    }
}

extension TokenSyntax {
    /// The identifier without backticks.
    var plainText: String { identifier?.name ?? text }
}
#endif
