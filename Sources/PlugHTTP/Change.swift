/// A member of a patch, which tells null from missing, as in RFC 7396.
///
/// ```swift
/// struct Input: Codable, Sendable {
///     let id: Int
///     var note: Change<String> = .keep
/// }
/// input.note.apply(to: &order.note)
/// ```
/// In JSON a missing member is ``keep``, null is ``clear``, a value is ``set(_:)``. The schema has
/// the value's type and null, and the member isn't required.
public enum Change<Value> {
    /// The member stays as it is: it is missing.
    case keep
    /// The member loses its value: it is null.
    case clear
    /// The member gets a value.
    case set(Value)

    /// Changes a value.
    public func apply(to value: inout Value?) {
        switch self {
        case .keep: break
        case .clear: value = nil
        case .set(let new): value = new
        }
    }
}

extension Change: Sendable where Value: Sendable {}
extension Change: Equatable where Value: Equatable {}
extension Change: Hashable where Value: Hashable {}

extension Change: Decodable where Value: Decodable {
    /// Decodes null as ``clear``, and any other value as ``set(_:)``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .clear : .set(try container.decode(Value.self))
    }
}

extension Change: Encodable where Value: Encodable {
    /// Encodes ``clear`` as null.
    ///
    /// - Throws: `EncodingError` for ``keep`` outside of a keyed container: there is nothing to
    ///   encode.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .keep:
            throw EncodingError.invalidValue(
                self,
                .init(
                    codingPath: encoder.codingPath,
                    debugDescription: ".keep can be encoded only as an object's member"
                )
            )
        case .clear: try container.encodeNil()
        case .set(let value): try container.encode(value)
        }
    }
}

extension KeyedDecodingContainer {
    /// Decodes a missing member as ``Change/keep``, and null as ``Change/clear``.
    public func decode<Value: Decodable>(
        _ type: Change<Value>.Type,
        forKey key: Key
    ) throws -> Change<Value> {
        guard contains(key) else { return .keep }
        return try decodeNil(forKey: key) ? .clear : .set(try decode(Value.self, forKey: key))
    }
}

extension KeyedEncodingContainer {
    /// Encodes ``Change/keep`` as a missing member, and ``Change/clear`` as null.
    public mutating func encode<Value: Encodable>(
        _ change: Change<Value>,
        forKey key: Key
    ) throws {
        switch change {
        case .keep: break
        case .clear: try encodeNil(forKey: key)
        case .set(let value): try encode(value, forKey: key)
        }
    }
}
