extension JSON: Encodable {
    /// Encodes the value; only this module's encoder preserves the text of numbers.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? ArenaEncoder {
            encoder.arena.set(self, at: encoder.node)
            return
        }
        switch self {
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let value):
            try value.encode(to: encoder)
        case .number(let number):
            if let integer = number.int {
                try integer.encode(to: encoder)
            } else if let double = number.double {
                try double.encode(to: encoder)
            } else {
                try number.text.encode(to: encoder)
            }
        case .string(let text):
            try text.encode(to: encoder)
        case .array(let elements):
            try elements.encode(to: encoder)
        case .object(let members):
            var container = encoder.container(keyedBy: PathKey.self)
            for (name, value) in members { try container.encode(value, forKey: .name(name)) }
        }
    }
}
