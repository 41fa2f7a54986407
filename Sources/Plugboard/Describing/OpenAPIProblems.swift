import JSONCodec
import PlugHTTP

/// The OpenAPI description of the problems that an action declares.
struct OpenAPIProblems {
    private let book: ShapeFinder
    /// The place of the components' schemas.
    private let prefix: String

    init(_ book: ShapeFinder, componentsIn prefix: String) {
        self.book = book
        self.prefix = prefix
    }

    /// Returns the schema of a status' responses: any problem, or one that the action declares.
    ///
    /// `standard` is the schema of problem details.
    func schema(_ problems: [any DeclaredProblem.Type], orAny standard: JSON) -> JSON {
        let own = problems.compactMap { schema($0, extending: standard) }
        return own.isEmpty ? standard : ["anyOf": .array(own + [standard])]
    }

    /// Returns the schema of a problem with extension members (RFC 9457 §3.2); nil without any.
    private func schema<P: DeclaredProblem>(_ type: P.Type, extending standard: JSON) -> JSON? {
        let found = book.shape(of: type)
        let members = (book.shapes.members(of: found) ?? [])
            .filter { !Problem.memberNames.contains($0.name) }
        guard !members.isEmpty else { return nil }
        let shape = Shape.object(members)
        let own = book.shapes.schema(of: shape, in: prefix).object ?? JSON.Object()
        var properties: JSON.Object = ["type": ["const": .string(type.type)]]
        for (name, schema) in own["properties"]?.object ?? JSON.Object() {
            properties[name] = schema
        }
        var schema: JSON.Object = [
            "title": .string(type.title), "allOf": [standard],
            "properties": .object(properties),
        ]
        schema["required"] = own["required"]
        return .object(schema)
    }
}
