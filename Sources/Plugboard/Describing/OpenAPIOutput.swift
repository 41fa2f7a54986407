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
        case .nothing:
            for status in endpoint?.statuses.prefix(1).map(\.code) ?? [] {
                responses["\(status)"] = ["description": "Done, without an output."]
            }
            if responses.isEmpty { responses["204"] = ["description": "Done, without an output."] }
        case .value(let type, let making):
            let sent = endpoint?.responseFields ?? [:]
            let content: JSON = [
                "application/json": ["schema": Self.schema(type, without: sent, book)]
            ]
            let headers = Self.headers(type, sent, book)
            let statuses = endpoint?.statuses.map(\.code) ?? []
            for status in statuses.isEmpty && making != .always ? [200] : statuses {
                var response: JSON.Object = ["description": "The output.", "content": content]
                if !headers.isEmpty { response["headers"] = .object(headers) }
                responses["\(status)"] = .object(response)
            }
            guard statuses.isEmpty else { return }
            let mayMake = making == .perhaps && [.post, .put].contains(route.method)
            guard making == .always || mayMake else { return }
            var located = headers
            located["Location"] = [
                "required": true, "schema": ["type": "string", "format": "uri-reference"],
            ]
            responses["201"] = [
                "description": "The new resource, and its location.",
                "headers": .object(located), "content": content,
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
                // Readers disagree whether a schema describes the body or an event.
                "content": ["text/event-stream": [:]],
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

    /// The fields that carry an output's members, and the link to a page's next one.
    private static func headers(
        _ type: any Encodable.Type,
        _ sent: [String: HTTPField.Name],
        _ book: ShapeFinder
    ) -> JSON.Object {
        var headers = JSON.Object()
        let members = members(type, book) ?? []
        for (name, field) in sent.sorted(by: { $0.value.rawName < $1.value.rawName }) {
            guard let member = members.first(where: { $0.name == name }) else { continue }
            let shape = member.asText(in: book.shapes).shape
            var header: JSON.Object = [
                "schema": book.shapes.schema(of: shape, in: OpenAPIComponents.prefix)
            ]
            if member.isRequired { header["required"] = true }
            header[ActionRoute.memberKey] = .string(name)
            headers[field.rawName] = .object(header)
        }
        if type is any LinkedOutput.Type {
            headers["Link"] = [
                "description":
                    "The next page, with `rel=\"next\"` (RFC 8288); none after the last.",
                "schema": ["type": "string"],
            ]
        }
        return headers
    }

    private static func members(
        _ type: any Encodable.Type,
        _ book: ShapeFinder
    ) -> [Shape.Member]? {
        func members<T: Decodable>(_ type: T.Type) -> [Shape.Member]? {
            let shape = book.shape(of: type)
            return book.shapes.members(of: shape)
        }
        return (type as? any Decodable.Type).flatMap { members($0) }
    }

    /// The schema of an output whose other members are sent in fields.
    private static func schema(
        _ type: any Encodable.Type,
        without sent: [String: HTTPField.Name],
        _ book: ShapeFinder
    ) -> JSON {
        guard !sent.isEmpty, let members = members(type, book) else { return schema(type, book) }
        let rest = members.filter { sent[$0.name] == nil }
        return book.shapes.schema(of: .object(rest), in: OpenAPIComponents.prefix)
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
        return book.shapes.schema(of: shape, in: OpenAPIComponents.prefix)
    }
}
