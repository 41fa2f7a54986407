import JSONCodec

/// The named schemas of an API description, and the operations that refer to them.
///
/// An input's objects have only known members. An output's objects may get more in a later version,
/// so clients must accept these. A type in inputs and outputs has therefore two schemas.
struct OpenAPIComponents {
    /// The prefix of references to named schemas.
    static let prefix = "#/components/schemas/"
    /// The prefix of references to types in inputs, until their schemas have names.
    static let inputPrefix = "#/components/inputs/"

    private(set) var schemas = JSON.Object()
    private(set) var paths: JSON

    /// Finds the schemas that operations refer to, directly or through others.
    ///
    /// An input that consists of parameters needs none.
    init(_ shapes: Shapes, of paths: JSON) {
        self.paths = paths
        var used: [String: JSON] = [:]
        func search(_ value: JSON) {
            for part in value.array ?? [] { search(part) }
            for (name, part) in value.object ?? JSON.Object() {
                search(part)
                guard name == "$ref", let path = part.string, used[path] == nil else { continue }
                let isInput = path.hasPrefix(Self.inputPrefix)
                guard
                    let component = shapes.components.first(where: {
                        path == (isInput ? Self.inputPrefix : Self.prefix) + $0.name
                    })
                else { continue }
                let schema = shapes.schema(
                    of: component,
                    in: Self.prefix,
                    closed: isInput ? Self.inputPrefix : nil
                )
                used[path] = schema
                search(schema)
            }
        }
        search(paths)
        var taken = Set(shapes.components.map(\.name))
        var names: [String: String] = [:]
        for component in shapes.components {
            let other = used[Self.prefix + component.name]
            schemas[component.name] = other
            guard let input = used[Self.inputPrefix + component.name] else { continue }
            var name = component.name
            while other != nil, !taken.insert(name).inserted { name += "Input" }
            names[Self.inputPrefix + component.name] = Self.prefix + name
            schemas[name] = input
        }
        self.paths = Self.renaming(self.paths, names)
        schemas = Self.renaming(.object(schemas), names).object ?? schemas
    }

    /// Returns a description with other references.
    private static func renaming(_ value: JSON, _ names: [String: String]) -> JSON {
        switch value {
        case .array(let parts): return .array(parts.map { renaming($0, names) })
        case .object(let members):
            return .object(
                JSON.Object(
                    members.map { name, part in
                        guard name == "$ref", let new = part.string.flatMap({ names[$0] }) else {
                            return (name, renaming(part, names))
                        }
                        return (name, .string(new))
                    }
                )
            )
        default: return value
        }
    }
}
