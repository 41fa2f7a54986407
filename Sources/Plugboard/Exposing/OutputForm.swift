import HTTPSyntax
import HTTPServer
import HTTPTypes
import JSONCodec
import Plug
import PlugHTTP

/// The conversion of an action's output to a response.
struct OutputForm<Output: Sendable>: Sendable {
    /// The media types that the client can choose from; empty for no choice.
    var offers: [StaticString] = []
    /// Whether the response has a link to the next page.
    var isLinked = false
    /// The output, for its description.
    let description: OutputDescription
    /// Makes the response.
    let encode: @Sendable (_ output: Output, _ context: ResponseContext) throws -> Response
}

/// An action's output, for its description.
///
/// `@unchecked Sendable`: metatypes are constants.
enum OutputDescription: @unchecked Sendable {
    case nothing
    /// JSON of a type, and whether the action creates a resource.
    case value(any Encodable.Type, Creation)
    case body
    case events
    /// A stream of values of a type, as lines of JSON or as events.
    case elements(any Encodable.Type)

    /// Whether the response may be endless.
    var isEndless: Bool {
        switch self {
        case .nothing, .value, .body: false
        case .events, .elements: true
        }
    }

    /// The errors in the declaration of the output's type, a sentence each.
    var problems: [String] {
        switch self {
        case .nothing, .body, .events: return []
        case .value(let type, _), .elements(let type):
            // An output that can't be decoded is described as any JSON.
            guard let decodable = type as? any Decodable.Type else { return [] }
            let finder = ShapeFinder(isForSchema: false)
            _ = finder.shape(of: decodable)
            return finder.shapes.problems
        }
    }

    /// Whether the responses can have entity tags: they need a body and an end.
    var canBeTagged: Bool {
        switch self {
        case .value(_, let making): making != .always
        case .body: true
        case .nothing, .events, .elements: false
        }
    }

    /// Whether a call creates a resource with a location (RFC 9110 §15.3.2).
    enum Creation {
        case always
        /// Depends on the output: a location in it means a new resource.
        case perhaps
        case never
    }
}

extension OutputForm<Void> {
    /// 204, without a body.
    static var nothing: Self {
        OutputForm(description: .nothing) { _, _ in Response(status: 204, body: .none) }
    }

    /// 204, or the first of the statuses that the action declares, without a body.
    static func nothing<A: ActionProtocol>(of action: A.Type) -> Self where A.Output == Void {
        guard let status = (action as? any Endpoint.Type)?.statuses.first else { return .nothing }
        let response = Response(status: UInt16(clamping: status.code), body: .bytes([]))
        return OutputForm(description: .nothing) { _, _ in response }
    }
}

extension OutputForm where Output: Encodable {
    /// The output as JSON, with the location that the action declares if it is an endpoint.
    static func json<A: ActionProtocol>(of action: A.Type) -> Self where A.Output == Output {
        let endpoint = action as? any Endpoint.Type
        let location = endpoint.map { action.locator(as: $0) }
        let isLinked = Output.self is any LinkedOutput.Type
        guard let endpoint, isLinked || endpoint.declaresResponse else {
            return .json(location: location)
        }
        return .json(
            location: location,
            status: endpoint.statuses.isEmpty ? nil : action.statusReader(as: endpoint),
            fields: endpoint.responseFields,
            isLinked: isLinked
        )
    }

    /// The output as JSON, with the status, the fields and the link that it has.
    static func json(
        location locator: (@Sendable (Output) -> String?)? = nil,
        status: (@Sendable (Output) -> HTTPResponse.Status)? = nil,
        fields names: [String: HTTPField.Name],
        isLinked: Bool = false
    ) -> Self {
        let names = names.map { (member: $0.key, field: $0.value.rawName) }
            .sorted { $0.member < $1.member }
        let making = locator == nil ? OutputDescription.Creation.never : .perhaps
        return OutputForm(
            isLinked: isLinked,
            description: .value(Output.self, making)
        ) { output, context in
            var fields: [(name: String, value: String)] = [("Content-Type", "application/json")]
            let location = locator?(output)
            if let location { fields.append(("Location", location)) }
            if isLinked, let next = (output as? any LinkedOutput)?.next {
                fields.append(("Link", context.link(toCursor: next)))
            }
            var body: [UInt8]
            if names.isEmpty {
                body = try JSON.encode(output)
            } else {
                var json = try JSON(encoding: output)
                for (member, field) in names {
                    if let value = json[member], value != .null {
                        guard let text = FieldText.text(of: value) else {
                            throw UnsendableField(member: member, field: field)
                        }
                        fields.append((field, text))
                    }
                    json[member] = nil
                }
                body = json.encoded()
            }
            return Response(
                status: status.map { UInt16(clamping: $0(output).code) }
                    ?? (location == nil ? 200 : 201),
                fields: ResponseFields(fields),
                body: .bytes(body)
            )
        }
    }

    /// 200 with the output as JSON, or 201 with the location of a new resource (RFC 9110 §15.3.2).
    static func json(
        location locator: (@Sendable (Output) -> String?)?
    ) -> Self {
        let jsonFields = ResponseFields([("Content-Type", "application/json")])
        let making = locator == nil ? OutputDescription.Creation.never : .perhaps
        let description = OutputDescription.value(Output.self, making)
        return OutputForm(description: description) { output, _ in
            let body = Response.Body.bytes(try JSON.encode(output))
            guard let location = locator?(output) else {
                return Response(status: 200, fields: jsonFields, body: body)
            }
            let fields = jsonFields + ResponseFields([("Location", location)])
            return Response(status: 201, fields: fields, body: body)
        }
    }
}

extension OutputForm<ResponseBody> {
    /// 200 with the bytes, complete or streamed.
    static var body: Self {
        OutputForm(description: .body) { body, _ in
            let fields = ResponseFields([("Content-Type", body.mediaType)])
            if let bytes = body.bytes {
                return Response(status: 200, fields: fields, body: .bytes(bytes))
            }
            let reader = SingleReader(body)
            let stream = ResponseStream { try await reader.next() }
            return Response(status: 200, fields: fields, body: .stream(stream))
        }
    }
}

extension OutputForm<EventStream> {
    /// 200 with a stream of events.
    static var events: Self {
        OutputForm(description: .events) { events, _ in
            let reader = SingleReader(events)
            return .events { try await reader.next() }
        }
    }
}

extension OutputForm where Output: AsyncSequence & Sendable, Output.Element: Encodable {
    /// 200 with a stream of elements.
    ///
    /// The request's Accept selects lines of JSON, or events with JSON as their data.
    static var elements: Self {
        let linesFields = [Self.lines, Self.otherLines].map {
            ResponseFields([
                ("Content-Type", "\($0)"), ("Cache-Control", "no-cache"), ("Vary", "Accept"),
            ])
        }
        return OutputForm(
            offers: [lines, otherLines, Response.eventsType],
            description: .elements(Output.Element.self)
        ) { elements, context in
            let (reader, offer) = (SingleReader(elements), context.offer)
            guard offer < linesFields.count else {
                var response = Response.events {
                    guard let element = try await reader.next() else { return nil }
                    return ServerSentEvent(
                        data: String(decoding: try JSON.encode(element), as: UTF8.self),
                        id: (element as? any IdentifiedEvent)?.eventID
                    )
                }
                response.fields += ResponseFields([("Vary", "Accept")])
                return response
            }
            let stream = ResponseStream(heartbeat: [space]) {
                guard let element = try await reader.next() else { return nil }
                return try JSON.encode(element) + [0x0A]
            }
            return Response(status: 200, fields: linesFields[offer], body: .stream(stream))
        }
    }

    private static var lines: StaticString { "application/jsonl" }
    /// The heartbeat: white space before the next line's value, which JSON ignores.
    private static var space: UInt8 { 0x20 }

    private static var otherLines: StaticString { "application/x-ndjson" }
}

extension Response {
    fileprivate static let eventsType: StaticString = "text/event-stream"

    /// A stream of events, with heartbeats between them.
    fileprivate static func events(
        _ next: @escaping @Sendable () async throws -> ServerSentEvent?
    ) -> Response {
        Response(
            status: 200,
            fields: eventFields,
            body: .stream(ResponseStream(heartbeat: heartbeat) { try await next()?.bytes })
        )
    }

    private static let eventFields = ResponseFields([
        ("Content-Type", "\(eventsType)"),
        ("Cache-Control", "no-cache"),
        // Turns off nginx's response buffering, which would delay events.
        ("X-Accel-Buffering", "no"),
    ])

    /// A comment, which clients ignore (HTML Standard §9.2.6).
    private static let heartbeat = Array(":\n\n".utf8)
}

extension Endpoint {
    /// Whether it declares fields or statuses of its responses.
    fileprivate static var declaresResponse: Bool { !responseFields.isEmpty || !statuses.isEmpty }
}

/// The error of an output's member that its header field can't have.
struct UnsendableField: Error, CustomStringConvertible {
    let member: String
    let field: String

    var description: String {
        "the output's \(member) can't be sent in \(field): it is nested, or has control characters or "
            + "whitespace around it"
    }
}
