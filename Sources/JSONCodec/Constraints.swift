/// A type that declares more of its JSON than its `init(from:)` shows.
///
/// Types conform to ``Constrained`` or ``SchemaDescribing``, which make this of it. A server looks for
/// this one alone at its start, since each look for a conformance goes through all that the program
/// has.
public protocol SchemaDeclaring {
    /// What is declared.
    static var declaration: SchemaDeclaration { get }
}

/// What a type declares of its JSON.
public enum SchemaDeclaration: Sendable {
    /// Rules beside what its `init(from:)` shows.
    case constraints(Constraints)
    /// The whole JSON Schema, in place of what its `init(from:)` shows.
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
    /// The schema: a type that gives one says its rules there.
    public static var declaration: SchemaDeclaration { .schema(schema) }
}

/// A type whose values have to keep rules that their Swift types don't say.
///
/// ```swift
/// extension LikePhoto.Like: Constrained {
///     static var constraints: Constraints {
///         ["id": [.minimum(1)], "user": [.minLength(1), .maxLength(100), .example("ada")]]
///     }
/// }
/// ```
/// The rules are those of JSON Schema 2020-12: a server checks them, wherever in an input the type
/// stands, and shows them in its API's description. The empty name stands for the value itself. A
/// rule for a member that isn't there, or of a kind that its type isn't, keeps a server from
/// starting.
public protocol Constrained: SchemaDeclaring {
    /// The rules by the members' names.
    static var constraints: Constraints { get }
}

/// The rules of a type, by the names of its members; the empty name is the value itself.
public struct Constraints: Sendable, ExpressibleByDictionaryLiteral {
    /// The names in their order, each with its rules.
    public let members: [(name: String, rules: [Constraint])]

    /// The rules of these members.
    public init(dictionaryLiteral members: (String, [Constraint])...) {
        self.members = members.map { (name: $0.0, rules: $0.1) }
    }
}

/// A rule for one value, or what an API's description says of it.
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

    /// A number is at least that.
    public static func minimum(_ least: JSON.Number) -> Self { Self(kind: .minimum(least)) }

    /// A number is at most that.
    public static func maximum(_ most: JSON.Number) -> Self { Self(kind: .maximum(most)) }

    /// A number is more than that.
    public static func exclusiveMinimum(_ bound: JSON.Number) -> Self {
        Self(kind: .exclusiveMinimum(bound))
    }

    /// A number is less than that.
    public static func exclusiveMaximum(_ bound: JSON.Number) -> Self {
        Self(kind: .exclusiveMaximum(bound))
    }

    /// A number is so many times that, exactly: 0.3 is a multiple of 0.1.
    public static func multipleOf(_ unit: JSON.Number) -> Self { Self(kind: .multipleOf(unit)) }

    /// A text has at least so many Unicode code points.
    public static func minLength(_ count: Int) -> Self { Self(kind: .minLength(count)) }

    /// A text has at most so many Unicode code points.
    public static func maxLength(_ count: Int) -> Self { Self(kind: .maxLength(count)) }

    /// A text has a place that matches a regular expression in the manner of ECMA-262.
    ///
    /// `^` and `$` tie it to the text's ends. There are no back references and no look-around, so
    /// that a match takes time in proportion to the text. The words say what is expected, to whom a
    /// text is refused: without them it is the expression.
    public static func pattern(_ expression: String, _ words: String? = nil) -> Self {
        Self(kind: .pattern(expression, words: words))
    }

    /// A text has that form.
    public static func format(_ format: StringFormat) -> Self { Self(kind: .format(format)) }

    /// A list has at least so many elements.
    public static func minItems(_ count: Int) -> Self { Self(kind: .minItems(count)) }

    /// A list has at most so many elements.
    public static func maxItems(_ count: Int) -> Self { Self(kind: .maxItems(count)) }

    /// A list has no two equal elements.
    public static var uniqueItems: Self { Self(kind: .uniqueItems) }

    /// Each element of a list keeps these rules.
    public static func items(_ rules: Constraint...) -> Self { Self(kind: .items(rules)) }

    /// What the value is, in words.
    public static func description(_ text: String) -> Self { Self(kind: .description(text)) }

    /// A value to show.
    public static func example(_ value: JSON) -> Self { Self(kind: .example(value)) }

    /// What stands in for the member where it is missing, so that its type needn't be optional.
    public static func `default`(_ value: JSON) -> Self { Self(kind: .standIn(value)) }

    /// The member is still there and will go away.
    public static var deprecated: Self { Self(kind: .deprecated) }
}

extension JSON.Number: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// A number as it is written.
    public init(integerLiteral value: Int) { self.init(value) }

    /// A number as it is written; one beyond the range of a `Double` becomes 0.
    public init(floatLiteral value: Double) { self = JSON.Number(value) ?? JSON.Number(0) }
}

/// A type that says itself what its JSON looks like.
///
/// What values look like is found by running a type's `init(from:)`. Some types' can't be followed,
/// such as an enum with values: they say it in JSON Schema 2020-12. The schema's first `examples`
/// is what their `init(from:)` is fed with where a type that holds one is followed. A schema refers
/// to itself as `#`, and to its parts as `#/$defs/…`, wherever it is put.
/// ```swift
/// extension Payment: SchemaDescribing {
///     static var schema: JSON { ["type": "string", "pattern": "^[0-9]+ EUR$", "examples": ["5 EUR"]] }
/// }
/// ```
public protocol SchemaDescribing: SchemaDeclaring {
    /// The JSON Schema of the type's values.
    static var schema: JSON { get }
}
