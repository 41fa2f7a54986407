extension JSON {
    /// Returns the JSON Schema (2020-12) of a type's values.
    ///
    /// It is found by running the type's `init(from:)`. The types in it are under `$defs`.
    public static func schema<T: Decodable>(of type: T.Type) -> JSON {
        let book = ShapeFinder()
        let shape = book.shape(of: type)
        var schema: Object = ["$schema": "https://json-schema.org/draft/2020-12/schema"]
        for (name, value) in book.shapes.schema(of: shape, in: "#/$defs/").object ?? Object() {
            schema[name] = value
        }
        let components = book.shapes.components.map { component in
            (component.name, book.shapes.schema(of: component, in: "#/$defs/"))
        }
        if !components.isEmpty { schema["$defs"] = .object(Object(components)) }
        return .object(schema)
    }
}

extension Shapes {
    /// Returns a shape's JSON Schema, which refers to components by prefix and name.
    ///
    /// With `closed`, objects accept no other members. References to components with such objects
    /// have this prefix.
    package func schema(of shape: Shape, in prefix: String, closed: String? = nil) -> JSON {
        var schema: JSON.Object
        switch shape.form {
        case .any: schema = JSON.Object()
        case .described(let keywords): schema = keywords
        case .scalar(let scalar): schema = scalar.keywords
        case .array(let element):
            schema = [
                "type": "array", "items": self.schema(of: element, in: prefix, closed: closed),
            ]
        case .map(let value):
            schema = [
                "type": "object",
                "additionalProperties": self.schema(of: value, in: prefix, closed: closed),
            ]
        case .object(let members, let isOpen):
            schema = object(members, prefix, closed)
            if closed != nil, !isOpen { schema["additionalProperties"] = false }
        case .component(let index):
            let prefix = hasClosedObjects(shape) ? closed ?? prefix : prefix
            schema = ["$ref": .string(prefix + JSONPointer.escaped(components[index].name))]
        }
        shape.rules.write(to: &schema)
        return .object(shape.isNullable ? nullable(schema) : schema)
    }

    /// Returns a component's JSON Schema.
    package func schema(
        of component: Component,
        in prefix: String,
        closed: String? = nil
    ) -> JSON {
        let schema = schema(of: component.shape, in: prefix, closed: closed)
        return component.places.isEmpty ? schema : leading(schema, component.places, prefix)
    }

    /// Returns a schema with references to the components' final places.
    private func leading(_ schema: JSON, _ places: [String: Int], _ prefix: String) -> JSON {
        if let parts = schema.array {
            return .array(parts.map { leading($0, places, prefix) })
        }
        guard let members = schema.object else { return schema }
        return .object(
            JSON.Object(
                members.map { name, value in
                    guard name == "$ref", let place = value.string.flatMap({ places[$0] }) else {
                        return (name, leading(value, places, prefix))
                    }
                    return (name, .string(prefix + JSONPointer.escaped(components[place].name)))
                }
            )
        )
    }

    private func object(
        _ members: [Shape.Member],
        _ prefix: String,
        _ closed: String?
    ) -> JSON.Object {
        var schema: JSON.Object = ["type": "object"]
        let members = members.filter { !$0.shape.isSupplied }
        if !members.isEmpty {
            schema["properties"] = .object(
                JSON.Object(
                    members.map {
                        ($0.name, self.schema(of: $0.shape, in: prefix, closed: closed))
                    }
                )
            )
        }
        let required = members.filter(\.isRequired).map { JSON.string($0.name) }
        if !required.isEmpty { schema["required"] = .array(required) }
        return schema
    }

    private func nullable(_ schema: JSON.Object) -> JSON.Object {
        var schema = schema
        if let type = schema["type"] {
            schema["type"] = .array((type.array ?? [type]) + ["null"])
            if let cases = schema["enum"]?.array { schema["enum"] = .array(cases + [.null]) }
            return schema
        }
        guard let reference = schema["$ref"] else { return schema }
        schema["$ref"] = nil
        schema["anyOf"] = [.object(["$ref": reference]), ["type": "null"]]
        return schema
    }
}

extension Rules {
    /// Writes the rules, which override those of the type, and the documentation.
    package func write(to schema: inout JSON.Object) {
        func set(_ name: String, _ value: JSON?) {
            if let value { schema[name] = value }
        }
        set("minimum", minimum.map(JSON.number))
        set("maximum", maximum.map(JSON.number))
        set("exclusiveMinimum", exclusiveMinimum.map(JSON.number))
        set("exclusiveMaximum", exclusiveMaximum.map(JSON.number))
        set("multipleOf", multipleOf.map(JSON.number))
        set("minLength", minLength.map { .number(JSON.Number($0)) })
        set("maxLength", maxLength.map { .number(JSON.Number($0)) })
        set("pattern", pattern.map { .string($0.text) })
        set("format", format.map { .string($0.name) })
        set("minItems", minItems.map { .number(JSON.Number($0)) })
        set("maxItems", maxItems.map { .number(JSON.Number($0)) })
        set("uniqueItems", hasUniqueItems ? true : nil)
        set("propertyNames", names.map(JSON.object))
        set("description", description.map(JSON.string))
        set("examples", example.map { [$0] })
        set("default", standIn)
        set("deprecated", isDeprecated ? true : nil)
    }
}
