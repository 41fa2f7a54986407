import JSONCodec

/// An action's input as a form (WHATWG URL §5).
///
/// A list is one name several times; a member's members are `near[city]=Riga`.
struct OpenAPIForm {
    /// The content for the media type `application/x-www-form-urlencoded`.
    let content: JSON

    private let shapes: Shapes

    /// Nil if a required member can't be in a form, such as a list of objects.
    ///
    /// Optional ones are left out.
    init?(_ members: [Shape.Member], isOpen: Bool, _ shapes: Shapes, closed: String?) {
        self.shapes = shapes
        var described: [Shape.Member] = []
        var encoding = JSON.Object()
        for member in members {
            let hasParts = Self.hasParts(member.shape, shapes)
            guard Self.fits(member.shape, shapes), !hasParts || !member.name.utf8.contains(0x5B)
            else {
                guard member.isRequired else { continue }
                return nil
            }
            // A list is repeated by default (OpenAPI 3.1 §4.8.15.1).
            if hasParts {
                encoding[member.name] = ["style": "deepObject", "explode": true]
            }
            described.append(member.asText(in: shapes))
        }
        guard !described.isEmpty else { return nil }
        let schema = shapes.schema(
            of: .object(described, isOpen: isOpen),
            in: OpenAPIComponents.prefix,
            closed: closed
        )
        var content: JSON.Object = ["schema": schema]
        if !encoding.isEmpty { content["encoding"] = .object(encoding) }
        self.content = .object(content)
    }

    /// Whether a member's value is a text, a list of texts, or an object of texts.
    private static func fits(_ shape: Shape, _ shapes: Shapes) -> Bool {
        switch shapes.resolved(shape).form {
        case .array(let element), .map(let element): isText(element, shapes)
        case .object(let members, _):
            // The encoding of deeper objects and of names with brackets isn't standardised.
            members.allSatisfy { isText($0.shape, shapes) && !$0.name.utf8.contains(0x5B) }
        case .any, .described, .scalar, .component: isText(shape, shapes)
        }
    }

    private static func isText(_ shape: Shape, _ shapes: Shapes) -> Bool {
        switch shapes.resolved(shape).form {
        case .scalar: true
        case .described(let schema):
            ["string", "integer", "number", "boolean"].contains(schema["type"])
        case .any, .array, .map, .object, .component: false
        }
    }

    private static func hasParts(_ shape: Shape, _ shapes: Shapes) -> Bool {
        switch shapes.resolved(shape).form {
        case .object, .map: true
        case .any, .described, .scalar, .array, .component: false
        }
    }
}
