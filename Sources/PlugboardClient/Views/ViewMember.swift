public import JSONCodec

/// A type of a view's members.
///
/// A `Codable` type adds a replacement only:
/// ```swift
/// struct Place: Codable, ViewMember { var city: String; static let replacement = Place(city: "") }
/// ```
public protocol ViewMember: Sendable {
    /// Returns the problems of a value; none if it has this type. A missing value is nil.
    static func problems(of content: ViewContent?) -> [JSONTypeError]

    /// Returns the value of a member; nil if it isn't of this type.
    static func read(_ content: ViewContent?) -> Self?

    /// The value that a lenient view reads instead of one of another type.
    static var replacement: Self { get }

    /// The change of a member to this value.
    var change: ViewChange { get }
}

/// The change of a view's member.
public enum ViewChange: Sendable, Hashable {
    /// Sets the member.
    case set(JSON)
    /// Removes the member.
    case remove
    /// Leaves the member, since JSON has no such value, for example no infinite number.
    case leave
}

extension ViewContent {
    /// Returns the problem of a value that isn't of the expected type.
    static func problem(_ expected: String, _ content: ViewContent?) -> [JSONTypeError] {
        let found = content.map { "found \($0.kind.words)" }
        let message = found.map { "expected \(expected), \($0)" } ?? "missing, expected \(expected)"
        return [JSONTypeError(pointer: "", message: message)]
    }
}

extension [JSONTypeError] {
    /// Returns the problems with a token before their pointers.
    func within(_ token: String) -> [JSONTypeError] {
        map { JSONTypeError(pointer: "/" + token + $0.pointer, message: $0.message) }
    }
}

extension String: ViewMember {
    /// Returns a problem unless the value is a string.
    public static func problems(of content: ViewContent?) -> [JSONTypeError] {
        content?.kind == .string ? [] : ViewContent.problem("a string", content)
    }

    /// Returns the string; nil for another value.
    public static func read(_ content: ViewContent?) -> String? { content?.string }

    /// An empty string.
    public static var replacement: String { "" }

    /// Sets the string.
    public var change: ViewChange { .set(.string(self)) }
}

extension Int: ViewMember {
    /// Returns a problem unless the value is a number that is exactly an integer.
    public static func problems(of content: ViewContent?) -> [JSONTypeError] {
        content?.int == nil ? ViewContent.problem("an integer", content) : []
    }

    /// Returns the integer; nil for another value.
    public static func read(_ content: ViewContent?) -> Int? { content?.int }

    /// Zero.
    public static var replacement: Int { 0 }

    /// Sets the integer.
    public var change: ViewChange { .set(.number(JSON.Number(self))) }
}

extension Double: ViewMember {
    /// Returns a problem unless the value is a number in the range of a `Double`.
    public static func problems(of content: ViewContent?) -> [JSONTypeError] {
        content?.double == nil ? ViewContent.problem("a number in range", content) : []
    }

    /// Returns the number; nil for another value.
    public static func read(_ content: ViewContent?) -> Double? { content?.double }

    /// Zero.
    public static var replacement: Double { 0 }

    /// Sets the number, unless it is infinite or NaN.
    public var change: ViewChange { JSON.Number(self).map { .set(.number($0)) } ?? .leave }
}

extension Bool: ViewMember {
    /// Returns a problem unless the value is a Boolean.
    public static func problems(of content: ViewContent?) -> [JSONTypeError] {
        content?.kind == .bool ? [] : ViewContent.problem("a Boolean", content)
    }

    /// Returns the Boolean; nil for another value.
    public static func read(_ content: ViewContent?) -> Bool? { content?.bool }

    /// False.
    public static var replacement: Bool { false }

    /// Sets the Boolean.
    public var change: ViewChange { .set(.bool(self)) }
}

extension JSON: ViewMember {
    /// Returns a problem if the value is missing.
    public static func problems(of content: ViewContent?) -> [JSONTypeError] {
        content == nil ? ViewContent.problem("a value", nil) : []
    }

    /// Returns the value; nil for a missing one.
    public static func read(_ content: ViewContent?) -> JSON? { content?.json }

    /// Null.
    public static var replacement: JSON { .null }

    /// Sets the value.
    public var change: ViewChange { .set(self) }
}

extension Optional: ViewMember where Wrapped: ViewMember {
    /// Returns no problem of a missing value or null; else those of the wrapped type.
    public static func problems(of content: ViewContent?) -> [JSONTypeError] {
        guard let content, content.kind != .null else { return [] }
        return Wrapped.problems(of: content)
    }

    /// Returns the value, or `.some(nil)` for a missing value and for null.
    public static func read(_ content: ViewContent?) -> Wrapped?? {
        guard let content, content.kind != .null else { return .some(nil) }
        return Wrapped.read(content).map { .some($0) }
    }

    /// Nil.
    public static var replacement: Wrapped? { nil }

    /// Sets the value; nil removes the member.
    public var change: ViewChange { self.map(\.change) ?? .remove }
}

extension Array: ViewMember where Element: ViewMember {
    /// Returns a problem unless the value is an array, and those of each element.
    public static func problems(of content: ViewContent?) -> [JSONTypeError] {
        guard let elements = content?.elements else {
            return ViewContent.problem("an array", content)
        }
        var problems: [JSONTypeError] = []
        for (place, element) in elements.enumerated() {
            problems += Element.problems(of: element).within(String(place))
        }
        return problems
    }

    /// Returns the elements, with replacements; nil for another value.
    public static func read(_ content: ViewContent?) -> [Element]? {
        content?.elements?.map { Element.read($0) ?? Element.replacement }
    }

    /// An empty array.
    public static var replacement: [Element] { [] }

    /// Sets the array, in which nil is null; leaves it if JSON has no such element.
    public var change: ViewChange {
        var elements: [JSON] = []
        for element in self {
            switch element.change {
            case .set(let json): elements.append(json)
            case .remove: elements.append(.null)
            case .leave: return .leave
            }
        }
        return .set(.array(elements))
    }
}

extension ViewMember where Self: Codable {
    /// Returns the first problem of decoding the value.
    public static func problems(of content: ViewContent?) -> [JSONTypeError] {
        guard let content else { return ViewContent.problem("a value", nil) }
        do {
            _ = try content.json.decode(Self.self)
            return []
        } catch let error as JSONTypeError {
            return [error]
        } catch {
            return [JSONTypeError(pointer: "", message: "\(error)")]
        }
    }

    /// Decodes the value; nil if it doesn't match the type.
    public static func read(_ content: ViewContent?) -> Self? {
        content.flatMap { try? $0.json.decode(Self.self) }
    }

    /// Encodes the value, or leaves the member if it can't be encoded.
    public var change: ViewChange { (try? JSON(encoding: self)).map(ViewChange.set) ?? .leave }
}
