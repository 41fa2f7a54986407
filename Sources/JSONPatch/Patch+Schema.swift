package import JSONCodec

extension Patch: Codable {
    package init(from decoder: any Decoder) throws {
        // Decoded from a container, so that schema generation recognizes any JSON value.
        let json = try decoder.singleValueContainer().decode(JSON.self)
        do throws(PatchError) {
            try self.init(json)
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: error.description
                )
            )
        }
    }

    package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension Patch: SchemaDescribing {
    /// The operations with their required members; others are ignored.
    package static var schema: JSON {
        [
            "type": "array", "description": "A JSON Patch (RFC 6902).",
            "maxItems": .number(JSON.Number(PatchLimits().operations)),
            "items": [
                "oneOf": [
                    operation(["add", "replace", "test"], ["value": JSON.object([:])]),
                    operation(["remove"], [:]),
                    operation(["move", "copy"], ["from": Pointer.schema]),
                ]
            ],
            "examples": [
                [["op": "replace", "path": "/0/actions/0/value", "value": "Good morning"]]
            ],
        ]
    }

    private static func operation(_ names: JSON, _ others: JSON.Object) -> JSON {
        var members: JSON.Object = [
            "op": ["type": "string", "enum": names], "path": Pointer.schema,
        ]
        for (name, schema) in others { members[name] = schema }
        return [
            "type": "object", "required": .array(members.names.map(JSON.string)),
            "properties": .object(members),
        ]
    }
}

extension Pointer {
    /// The schema of a JSON Pointer's text.
    fileprivate static var schema: JSON {
        ["type": "string", "pattern": "^(/([^~/]|~[01])*)*$"]
    }
}

extension MergePatch: SchemaDescribing {
    /// Any value: one that isn't an object replaces the document.
    package static var schema: JSON {
        [
            "description": "A JSON Merge Patch (RFC 7396): null removes a member.",
            "examples": [["segments": ["beta": .null]]],
        ]
    }
}
