/// A type of a member, an input or an output.
struct SwiftType: Equatable {
    /// The places of a request where a value can be.
    enum Form {
        /// A text, a number or a Boolean: everywhere.
        case scalar
        /// A list of scalars: a query, a form or a field.
        case list
        /// An object of scalars and lists: a query or a form.
        case members
        /// A body of JSON only.
        case other
    }

    /// The type as it is written, without the mark of an optional.
    var text: String
    var form: Form
    /// Whether null is a value.
    var isNullable = false
    /// The literal of the only value; nil for a type with several values.
    var constant: String?

    /// The type with the mark of an optional, if null is a value.
    var written: String { isNullable ? text + "?" : text }

    /// Any value of JSON.
    static let json = SwiftType(text: "JSON", form: .other)
    static let string = SwiftType(text: "String", form: .scalar)
}

/// The use of a type: inputs lack `readOnly` members, outputs lack `writeOnly` ones.
enum Direction: Hashable {
    case input
    case output
}

/// A type that the file declares.
enum Declaration {
    case structure(Structure)
    case enumeration(Enumeration)
    case union(Union)

    var name: String {
        switch self {
        case .structure(let structure): structure.name
        case .enumeration(let enumeration): enumeration.name
        case .union(let union): union.name
        }
    }
}

/// An object's type.
struct Structure {
    let name: String
    var comment: String
    var members: [Member]
    /// The type of other members; nil if they are ignored.
    var additional: SwiftType?
    /// The problem's status, type and title; nil for a type that isn't an error.
    var problem: DeclaredError?
}

/// The status, type and title of a declared problem.
struct DeclaredError {
    let status: Int
    let type: String
    let title: String
}

/// A member of an object's type.
struct Member {
    /// The name in Swift, without back quotes.
    var name: String
    /// The name in JSON.
    var key: String
    var type: SwiftType
    var isRequired: Bool
    /// Whether it is a member of a patch, in which null differs from missing.
    var isChange = false
    /// Whether its value is in memory of its own, because the type contains itself.
    var isBoxed = false
    var comment = ""

    /// Whether its type has the mark of an optional.
    var isOptional: Bool { !isChange && (!isRequired || type.isNullable) }

    /// The type as it is written.
    var written: String {
        let value = isBoxed ? "Boxed<\(type.text)>" : type.text
        if isChange { return "Change<\(value)>" }
        return isOptional ? value + "?" : value
    }

    /// The default in the initializer; nil for none.
    var standIn: String? {
        if isChange { return ".keep" }
        if isOptional { return isRequired ? nil : "nil" }
        return type.constant
    }
}

/// A type of listed texts or integers, which accepts unlisted ones.
struct Enumeration {
    let name: String
    let comment: String
    /// Whether the values are integers.
    let isInteger: Bool
    /// The cases with the literals of their values.
    let cases: [(name: String, literal: String)]
}

/// A type with a case for each variant, and one for any other value.
struct Union {
    struct Variant {
        let name: String
        let type: SwiftType
        /// The values of the discriminator; empty without one.
        var tags: [String] = []
        /// The kind of the JSON value.
        let kind: ValueKind
        /// The required members of an object.
        var required: [String] = []
        /// The members of an object with only one value, and that value.
        var constants: [(key: String, value: String)] = []
        /// The names of all members of an object.
        var names: Set<String> = []
    }

    let name: String
    let comment: String
    /// The member that names the variant; nil if the value's members decide.
    let discriminator: String?
    let variants: [Variant]
    /// Whether a variant contains the union.
    var isIndirect = false
}

/// The kinds of JSON values.
enum ValueKind: String {
    case object, array, string, integer, number, boolean
    /// A value of any kind.
    case any
}

/// A place of declarations: the file, or the class of an operation.
final class TypeScope {
    var used: Set<String>
    var declarations: [Declaration] = []

    init(used: Set<String> = []) { self.used = used }
}

/// A suggestion for a type's name.
struct TypeName {
    let text: String
    /// Whether the name already belongs to the type.
    var isReserved = false

    /// The name of a part.
    func part(_ name: String) -> TypeName { TypeName(text: text + SwiftName.type(name).dropModel) }
}

extension String {
    /// The name without the suffix that avoids a reserved name: it is part of another name.
    fileprivate var dropModel: String {
        hasSuffix("Model") && SwiftName.reserved.contains(String(dropLast(5)))
            ? String(dropLast(5)) : self
    }
}
