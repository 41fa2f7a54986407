import JSONCodec

/// The merge of schemas that all apply: `allOf`, and members beside `oneOf`.
struct Merging {
    let description: Description

    /// The maximum number of schemas in one merge.
    private static let maximumParts = 200

    /// Whether a member of a schema limits values, unlike `description`.
    static func isConstraint(_ name: String) -> Bool {
        [
            "type", "properties", "required", "additionalProperties", "items", "enum", "const",
            "allOf", "oneOf", "anyOf", "format", "$ref",
        ].contains(name)
    }

    /// Returns a schema without `allOf`; nil if a part is in another document, or there are too
    /// many.
    func merged(_ schema: JSON.Object) -> JSON.Object? {
        var count = 0
        return merged(schema, &count, within: [])
    }

    private func merged(
        _ schema: JSON.Object,
        _ count: inout Int,
        within open: Set<String>
    ) -> JSON.Object? {
        guard let parts = schema["allOf"]?.array else { return schema }
        var result = JSON.Object()
        for part in parts {
            count += 1
            guard count <= Self.maximumParts, var object = part.object else { return nil }
            var inner = open
            var hops = 0
            while let reference = object["$ref"]?.string {
                hops += 1
                guard inner.insert(reference).inserted, hops < 32,
                    let target = description.target(of: reference)?.object
                else { return nil }
                let beside =
                    description.isVersion30
                    ? [] : object.filter { $0.0 != "$ref" && Self.isConstraint($0.0) }
                object = target
                // A base's own list of variants would contain this schema.
                object["discriminator"] = nil
                object["description"] = nil
                if object["properties"] != nil {
                    object["oneOf"] = nil
                    object["anyOf"] = nil
                }
                for (name, value) in beside { object[name] = value }
            }
            guard let whole = merged(object, &count, within: inner) else { return nil }
            result = Self.overlaid(result, whole)
        }
        var own = schema
        own["allOf"] = nil
        return Self.overlaid(result, own)
    }

    /// Returns a schema with the limits of both; the second one's override the first one's.
    static func overlaid(_ first: JSON.Object, _ second: JSON.Object) -> JSON.Object {
        var result = first
        for (name, value) in second {
            switch name {
            case "properties":
                var members = result[name]?.object ?? [:]
                for (member, schema) in value.object ?? [:] {
                    members[member] = members[member].map { overlaid($0, schema) } ?? schema
                }
                result[name] = .object(members)
            case "required":
                let names = result[name]?.array ?? []
                result[name] = .array(names + (value.array ?? []).filter { !names.contains($0) })
            default: result[name] = value
            }
        }
        return result
    }

    private static func overlaid(_ first: JSON, _ second: JSON) -> JSON {
        guard let one = first.object, let other = second.object else { return second }
        guard other.contains(where: { isConstraint($0.0) }) else {
            var result = one
            if one["$ref"] == nil { for (name, value) in other { result[name] = value } }
            return .object(result)
        }
        guard one["$ref"] == nil, other["$ref"] == nil else { return second }
        return .object(overlaid(one, other))
    }
}
