/// A value in memory of its own, so that a type can contain itself.
///
/// ```swift
/// struct Comment: Codable, Hashable, Sendable {
///     var text: String
///     var answered: Boxed<Comment>?
/// }
/// print(comment.answered?.value.text ?? "")
/// ```
/// In JSON it is the value.
public indirect enum Boxed<Value> {
    /// The value.
    case boxed(Value)

    /// Creates a box of a value.
    public init(_ value: Value) { self = .boxed(value) }

    /// The value.
    public var value: Value {
        get {
            switch self {
            case .boxed(let value): value
            }
        }
        set { self = .boxed(newValue) }
    }
}

extension Boxed: Sendable where Value: Sendable {}
extension Boxed: Equatable where Value: Equatable {}
extension Boxed: Hashable where Value: Hashable {}

extension Boxed: Decodable where Value: Decodable {
    /// Decodes the value.
    public init(from decoder: any Decoder) throws { self = .boxed(try Value(from: decoder)) }
}

extension Boxed: Encodable where Value: Encodable {
    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
