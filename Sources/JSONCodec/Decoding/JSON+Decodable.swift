extension JSON: Decodable {
    /// Decodes any value.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? TapeDecoder {
            self = decoder.tape.json(at: decoder.index)
            return
        }
        if let members = try? decoder.container(keyedBy: PathKey.self) {
            self = .object(
                Object(
                    try members.allKeys.map {
                        ($0.stringValue, try members.decode(JSON.self, forKey: $0))
                    }
                )
            )
            return
        }
        if var elements = try? decoder.unkeyedContainer() {
            var array: [JSON] = []
            while !elements.isAtEnd { array.append(try elements.decode(JSON.self)) }
            self = .array(array)
            return
        }
        self = try JSON(scalar: decoder.singleValueContainer())
    }

    private init(scalar value: any SingleValueDecodingContainer) throws {
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? value.decode(Int.self) {
            self = .number(Number(integer))
        } else if let number = try? Number(value.decode(Double.self)) {
            self = .number(number)
        } else {
            self = .string(try value.decode(String.self))
        }
    }
}
