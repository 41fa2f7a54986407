import HTTPTypes
import JSONCodec
import PlugHTTP

/// An action's input as OpenAPI describes it: parameters and a body.
struct OpenAPIInput {
    private(set) var parameters: [JSON] = []
    private(set) var body: JSON?
    /// Whether an input can be other than what is asked for.
    private(set) var isChecked = false

    private let endpoint: (any Endpoint.Type)?
    /// Whether what isn't described is refused.
    private let isExact: Bool
    private let book: ShapeBook
    private var shapes: Shapes { book.shapes }

    init(
        _ input: InputDescription,
        _ route: ActionRoute,
        _ endpoint: (any Endpoint.Type)?,
        isExact: Bool = false,
        _ book: ShapeBook
    ) {
        self.book = book
        self.isExact = isExact
        self.endpoint = endpoint
        switch input {
        case .nothing:
            parameters = route.template.names.map { parameter($0, in: "path", ["type": "string"]) }
        case .body:
            // Bytes of any media type: generators know these by this one. No byte is a body, too.
            let bytes: JSON = ["schema": ["type": "string", "format": "binary"]]
            body = ["content": ["application/octet-stream": bytes]]
        case .value(let contract):
            isChecked = true
            describe(contract.shape(in: book), route)
        }
    }

    private mutating func describe(_ shape: Shape, _ route: ActionRoute) {
        let members = shapes.members(of: shape)?.filter { !$0.shape.isSupplied }
        for name in route.template.names {
            let member = members?.first { $0.name == name }
            parameters.append(parameter(member, name, in: "path"))
        }
        let rest = (members ?? []).filter { !route.template.names.contains($0.name) }
        // Which of the body's types it is, the body's description says (OpenAPI 3.1 §4.8.12.2).
        for (name, field) in route.fields.sorted(by: { $0.key < $1.key })
        where field != .contentType {
            parameters.append(
                parameter(rest.first { $0.name == name }, field.rawName, in: "header")
            )
        }
        var others = rest.filter { route.fields[$0.name] == nil }
        if route.hasQuery {
            parameters += others.filter { route.isQueried($0.name) }
                .map { parameter($0, $0.name, in: "query") }
            others.removeAll { route.isQueried($0.name) }
        }
        guard route.hasBody else { return }
        if route.wholeBody != nil {
            body = ["required": true, "content": .object(whole(endpoint?.bodyTypes ?? []))]
            return
        }
        guard let members else {
            body = [
                "required": .bool(!shape.isNullable),
                "content": ["application/json": ["schema": schema(shape)]],
            ]
            return
        }
        guard !others.isEmpty else { return }
        let whole = others.count == members.count && !isExact
        var object = schema(whole ? shape : Shape.object(others))
        if isExact { object["additionalProperties"] = false }
        var content: JSON.Object = ["application/json": ["schema": object]]
        let form = OpenAPIForm(others, shapes, isExact: isExact)
        content["application/x-www-form-urlencoded"] = form?.content
        body = [
            "required": .bool(others.contains(where: \.isRequired)), "content": .object(content),
        ]
    }

    /// Whatever the text is where nothing is said of its type: the action says what is wrong with it.
    private func whole(_ types: [BodyType]) -> JSON.Object {
        let types = types.isEmpty ? [BodyType("application/json")] : types
        return JSON.Object(types.map { ($0.name, ["schema": $0.content?.schema ?? [:]]) })
    }

    private func schema(_ shape: Shape) -> JSON { shapes.schema(of: shape, in: OpenAPI.prefix) }

    private func parameter(_ member: Shape.Member?, _ name: String, in place: String) -> JSON {
        guard let member else { return parameter(name, in: place, ["type": "string"]) }
        let shape = member.asText(in: shapes).shape
        var schema = self.schema(shape)
        var parameter: JSON.Object = ["name": .string(name), "in": .string(place)]
        // What is said of the member is said of the parameter.
        for word in ["description", "deprecated"] {
            parameter[word] = schema[word]
            schema[word] = nil
        }
        if member.isRequired || place == "path" { parameter["required"] = true }
        if place == "path", schema["type"] == "string", schema["minLength"] == nil {
            // An empty segment is another path.
            schema["minLength"] = 1
        }
        if place == "query", isObject(shape) {
            parameter["style"] = "deepObject"
            parameter["explode"] = true
        }
        parameter["schema"] = schema
        return .object(parameter)
    }

    private func parameter(_ name: String, in place: String, _ schema: JSON) -> JSON {
        ["name": .string(name), "in": .string(place), "required": true, "schema": schema]
    }

    private func isObject(_ shape: Shape) -> Bool {
        switch shapes.resolved(shape).form {
        case .object, .map: true
        case .any, .described, .scalar, .array, .component: false
        }
    }
}
