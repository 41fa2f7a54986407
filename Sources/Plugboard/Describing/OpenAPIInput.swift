import HTTPTypes
import JSONCodec
import PlugHTTP

/// The OpenAPI description of an action's input: parameters and a body.
struct OpenAPIInput {
    private(set) var parameters: [JSON] = []
    private(set) var body: JSON?
    /// Whether the input is validated.
    private(set) var isChecked = false

    private let endpoint: (any Endpoint.Type)?
    /// The prefix of references to types whose unknown members are rejected; nil if they are
    /// ignored.
    private let closed: String?
    private let acceptsForms: Bool
    private let book: ShapeFinder
    private var shapes: Shapes { book.shapes }

    init(
        _ input: InputDescription,
        _ route: ActionRoute,
        _ endpoint: (any Endpoint.Type)?,
        _ declarations: Declarations,
        _ book: ShapeFinder
    ) {
        self.book = book
        closed = declarations.isExact ? OpenAPIComponents.inputPrefix : nil
        acceptsForms = declarations.acceptsForms
        self.endpoint = endpoint
        switch input {
        case .nothing:
            parameters = route.template.names.map { parameter($0, in: "path", ["type": "string"]) }
        case .body:
            // Generators recognize a body of any type by this one. It isn't required: it may be
            // empty.
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
        // The body's content lists its media types (OpenAPI 3.1 §4.8.12.2).
        for (name, field) in route.fields.sorted(by: { $0.key < $1.key })
        where field != .contentType {
            var header = parameter(rest.first { $0.name == name }, field.rawName, in: "header")
            header[ActionRoute.memberKey] = .string(name)
            parameters.append(header)
        }
        var others = rest.filter { route.fields[$0.name] == nil }
        if route.hasQuery {
            parameters += others.filter { route.isQueried($0.name) }
                .map { parameter($0, $0.name, in: "query") }
            others.removeAll { route.isQueried($0.name) }
        }
        guard route.hasBody else { return }
        if let wholeBody = route.wholeBody {
            body = [
                "required": true, "content": .object(whole(endpoint?.bodyTypes ?? [])),
                .init(ActionRoute.memberKey): .string(wholeBody),
            ]
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
        let isOpen =
            if case .object(_, isOpen: true) = shapes.resolved(shape).form { true } else { false }
        let whole = others.count == members.count
        let object = schema(whole ? shape : Shape.object(others, isOpen: isOpen))
        var content: JSON.Object = ["application/json": ["schema": object]]
        if acceptsForms {
            let form = OpenAPIForm(others, isOpen: isOpen, shapes, closed: closed)
            content["application/x-www-form-urlencoded"] = form?.content
        }
        body = [
            "required": .bool(others.contains(where: \.isRequired)), "content": .object(content),
        ]
    }

    /// The content of a whole body.
    ///
    /// Without a declared schema any text is valid; the action checks it.
    private func whole(_ types: [BodyType]) -> JSON.Object {
        let types = types.isEmpty ? [BodyType("application/json")] : types
        return JSON.Object(types.map { ($0.name, ["schema": $0.content?.schema ?? [:]]) })
    }

    private func schema(_ shape: Shape) -> JSON {
        shapes.schema(of: shape, in: OpenAPIComponents.prefix, closed: closed)
    }

    private func parameter(_ member: Shape.Member?, _ name: String, in place: String) -> JSON {
        guard let member else { return parameter(name, in: place, ["type": "string"]) }
        let text = member.asText(in: shapes)
        let shape = text.shape
        var schema = self.schema(shape)
        var parameter: JSON.Object = ["name": .string(name), "in": .string(place)]
        // The member's description belongs to the parameter, outside of its schema.
        for word in ["description", "deprecated"] {
            parameter[word] = schema[word]
            schema[word] = nil
        }
        // An absent field is no empty list.
        let isRequired = place == "query" ? text.isRequired : member.isRequired
        if isRequired || place == "path" { parameter["required"] = true }
        if place == "query", !isRequired, shapes.readsEmptyTextAsAbsent(shape) {
            parameter["allowEmptyValue"] = true
        }
        if place == "path", schema["type"] == "string", schema["minLength"] == nil {
            // A path with an empty segment is another route.
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
