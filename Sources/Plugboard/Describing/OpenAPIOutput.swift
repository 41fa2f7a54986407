import HTTPTypes
import JSONCodec
import PlugHTTP

/// The OpenAPI description of an action's output: the successful responses.
struct OpenAPIOutput {
    private(set) var responses = JSON.Object()

    init(
        _ output: OutputDescription,
        _ route: ActionRoute,
        _ endpoint: (any Endpoint.Type)?,
        _ book: ShapeFinder
    ) {
        switch output {
        case .nothing: responses["204"] = ["description": "Done, without an output."]
        case .value(let type, let making):
            let content: JSON = ["application/json": ["schema": Self.schema(type, book)]]
            if making != .always {
                responses["200"] = ["description": "The output.", "content": content]
            }
            let mayMake = making == .perhaps && [.post, .put].contains(route.method)
            guard making == .always || mayMake else { return }
            responses["201"] = [
                "description": "The new resource, and its location.",
                "headers": [
                    "Location": [
                        "required": true,
                        "schema": ["type": "string", "format": "uri-reference"],
                    ]
                ],
                "content": content,
            ]
        case .body:
            let type = endpoint?.mediaType
            responses["200"] = [
                "description": "The output.",
                "content": .object([type ?? "*/*": Self.bytes(of: type)]),
            ]
        case .events:
            responses["200"] = [
                "description": "A stream of events.",
                "content": ["text/event-stream": ["schema": ["type": "string"]]],
            ]
        case .elements(let type):
            let lines: JSON = [
                "schema": [
                    "type": "string", "contentMediaType": "application/json",
                    "contentSchema": Self.schema(type, book),
                ]
            ]
            responses["200"] = [
                "description": "A stream of values: one per line, or per event's data.",
                "content": [
                    "application/jsonl": lines, "application/x-ndjson": lines,
                    "text/event-stream": lines,
                ],
            ]
        }
    }

    /// The schema of a body: of text, of JSON, or of bytes.
    private static func bytes(of type: String?) -> JSON {
        guard let type else { return [:] }
        if type.hasPrefix("application/json") || type.contains("+json") { return [:] }
        if type.hasPrefix("text/") { return ["schema": ["type": "string"]] }
        return ["schema": ["type": "string", "format": "binary"]]
    }

    /// The schema of an output type; one that isn't Decodable may be any JSON.
    private static func schema(_ type: any Encodable.Type, _ book: ShapeFinder) -> JSON {
        if let described = type as? any SchemaDescribing.Type, !(type is any Decodable.Type) {
            return described.schema
        }
        guard let decodable = type as? any Decodable.Type else { return [:] }
        return schema(decodable, book)
    }

    private static func schema<T: Decodable>(_ type: T.Type, _ book: ShapeFinder) -> JSON {
        let shape = book.shape(of: type)
        return book.shapes.schema(of: shape, in: OpenAPI.prefix)
    }
}
