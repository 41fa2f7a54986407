/// A type that declares more of its JSON than its `init(from:)` shows.
///
/// Types conform to ``Constrained`` or ``SchemaDescribing``, which implement this protocol. A
/// server searches only for this one at its start, since each search for a conformance scans the
/// whole program.
public protocol SchemaDeclaring {
    /// The type's declaration.
    static var declaration: SchemaDeclaration { get }
}

/// A type's declaration of its JSON.
public enum SchemaDeclaration: Sendable {
    /// Rules in addition to those of its `init(from:)`.
    case constraints(Constraints)
    /// The whole JSON Schema, which replaces that of its `init(from:)`.
    case schema(JSON)
}

extension Constrained {
    /// The rules.
    public static var declaration: SchemaDeclaration { .constraints(constraints) }
}

extension SchemaDescribing {
    /// The schema.
    public static var declaration: SchemaDeclaration { .schema(schema) }
}

extension SchemaDescribing where Self: Constrained {
    /// The schema: a type with its own schema includes its rules there.
    public static var declaration: SchemaDeclaration { .schema(schema) }
}

/// A type whose values must satisfy rules that Swift types can't express.
///
/// ```swift
/// extension LikePhoto.Like: Constrained {
///     static var constraints: Constraints {
///         ["id": [.minimum(1)], "user": [.minLength(1), .maxLength(100), .example("ada")]]
///     }
/// }
/// ```
/// The rules are those of JSON Schema 2020-12. A server checks them wherever an input contains the
/// type, and includes them in its API's description. The empty name is the value itself. The server
/// doesn't start if a rule names a missing member or doesn't match the member's type.
public protocol Constrained: SchemaDeclaring {
    /// The rules by member names.
    static var constraints: Constraints { get }
}

/// The rules of a type by member names; the empty name is the value itself.
public struct Constraints: Sendable, ExpressibleByDictionaryLiteral {
    /// The names in order, each with its rules.
    public let members: [(name: String, rules: [Constraint])]

    /// Creates rules from member names.
    public init(dictionaryLiteral members: (String, [Constraint])...) {
        self.members = members.map { (name: $0.0, rules: $0.1) }
    }
}

/// A rule for one value, or a part of its description.
public struct Constraint: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case minimum(JSON.Number), maximum(JSON.Number)
        case exclusiveMinimum(JSON.Number), exclusiveMaximum(JSON.Number)
        case multipleOf(JSON.Number)
        case minLength(Int), maxLength(Int)
        case pattern(String, words: String?), format(StringFormat)
        case minItems(Int), maxItems(Int), uniqueItems
        case items([Constraint])
        case description(String), example(JSON), standIn(JSON), deprecated
    }

    let kind: Kind

    /// Limits a number to at least `least`.
    public static func minimum(_ least: JSON.Number) -> Self { Self(kind: .minimum(least)) }

    /// Limits a number to at most `most`.
    public static func maximum(_ most: JSON.Number) -> Self { Self(kind: .maximum(most)) }

    /// Limits a number to more than `bound`.
    public static func exclusiveMinimum(_ bound: JSON.Number) -> Self {
        Self(kind: .exclusiveMinimum(bound))
    }

    /// Limits a number to less than `bound`.
    public static func exclusiveMaximum(_ bound: JSON.Number) -> Self {
        Self(kind: .exclusiveMaximum(bound))
    }

    /// Limits a number to exact multiples of `unit`: 0.3 is a multiple of 0.1.
    public static func multipleOf(_ unit: JSON.Number) -> Self { Self(kind: .multipleOf(unit)) }

    /// Limits a string to at least `count` Unicode code points.
    public static func minLength(_ count: Int) -> Self { Self(kind: .minLength(count)) }

    /// Limits a string to at most `count` Unicode code points.
    public static func maxLength(_ count: Int) -> Self { Self(kind: .maxLength(count)) }

    /// Limits a string to those that contain a match of an ECMA-262 regular expression.
    ///
    /// `^` and `$` match the string's ends. Back references and look-around are unsupported, so
    /// matching takes time proportional to its length. The words describe the expected string in error
    /// messages; the default is the expression.
    public static func pattern(_ expression: String, _ words: String? = nil) -> Self {
        Self(kind: .pattern(expression, words: words))
    }

    /// Limits a string to a format.
    public static func format(_ format: StringFormat) -> Self { Self(kind: .format(format)) }

    /// Limits a list to at least `count` elements.
    public static func minItems(_ count: Int) -> Self { Self(kind: .minItems(count)) }

    /// Limits a list to at most `count` elements.
    public static func maxItems(_ count: Int) -> Self { Self(kind: .maxItems(count)) }

    /// Limits a list to distinct elements.
    public static var uniqueItems: Self { Self(kind: .uniqueItems) }

    /// Limits each element of a list.
    public static func items(_ rules: Constraint...) -> Self { Self(kind: .items(rules)) }

    /// Describes the value.
    public static func description(_ text: String) -> Self { Self(kind: .description(text)) }

    /// Adds an example value.
    public static func example(_ value: JSON) -> Self { Self(kind: .example(value)) }

    /// Sets the value of a missing member, so that its type needn't be optional.
    public static func `default`(_ value: JSON) -> Self { Self(kind: .standIn(value)) }

    /// Marks a member that will be removed.
    public static var deprecated: Self { Self(kind: .deprecated) }
}

extension JSON.Number: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// Creates a number from a literal.
    public init(integerLiteral value: Int) { self.init(value) }

    /// Creates a number from a literal; one out of range of a `Double` becomes 0.
    public init(floatLiteral value: Double) { self = JSON.Number(value) ?? JSON.Number(0) }
}

/// A type that declares its JSON Schema.
///
/// Shapes are found by running a type's `init(from:)`. That fails for some types, such as enums
/// with associated values, so they declare a JSON Schema (2020-12). If another type contains such a
/// type, the schema's first `examples` value is decoded while that type is followed. A schema
/// refers to itself as `#` and to its parts as `#/$defs/…`, wherever it is inserted.
/// ```swift
/// extension Payment: SchemaDescribing {
///     static var schema: JSON { ["type": "string", "pattern": "^[0-9]+ EUR$", "examples": ["5 EUR"]] }
/// }
/// ```
public protocol SchemaDescribing: SchemaDeclaring {
    /// The JSON Schema of the type's values.
    static var schema: JSON { get }
}
