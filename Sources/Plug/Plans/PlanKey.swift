/// A member's name in a plan.
struct PlanKey: CodingKey, Equatable, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }

    init(stringLiteral name: String) { stringValue = name }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer where Key == PlanKey {
    /// Returns the error of an unknown member, since a misspelt one must not pass for a default.
    func unknown(_ key: PlanKey) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: "unknown member")
    }

    /// Returns a member's value, or the default if it is missing.
    func value<Value: Decodable>(_ name: PlanKey, _ standard: Value) throws -> Value {
        try decodeIfPresent(Value.self, forKey: name) ?? standard
    }
}

extension Decoder {
    /// Returns the members of a layer, which may have only these names.
    func members(_ names: String...) throws -> KeyedDecodingContainer<PlanKey> {
        let members = try container(keyedBy: PlanKey.self)
        if let other = members.allKeys.first(where: { !names.contains($0.stringValue) }) {
            throw members.unknown(other)
        }
        return members
    }
}
