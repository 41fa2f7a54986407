import HTTPSyntax
import HTTPServer
import JSONCodec
import Plug
import PlugHTTP

/// How an action's output becomes a response.
struct OutputForm<Output: Sendable>: Sendable {
    /// The media types that the client may choose among; empty where there is no choice.
    var offers: [StaticString] = []
    /// What is said of it.
    let description: OutputDescription
    /// Makes the response, of the offer with this index.
    let encode: @Sendable (_ output: Output, _ offer: Int) throws -> Response
}

/// What an action gives, for those who describe it.
///
/// `@unchecked Sendable`: metatypes are constants.
enum OutputDescription: @unchecked Sendable {
    case nothing
    /// JSON of a type, and whether it tells of something that was made.
    case value(any Encodable.Type, Making)
    case body
    case events
    /// Lines of JSON of a type, or events with them.
    case elements(any Encodable.Type)

    /// Whether it may have no end.
    var isEndless: Bool {
        switch self {
        case .nothing, .value, .body: false
        case .events, .elements: true
        }
    }

    /// Whether its answers can have entity tags: where they have a body, and an end.
    var canBeTagged: Bool {
        switch self {
        case .value(_, let making): making != .always
        case .body: true
        case .nothing, .events, .elements: false
        }
    }

    /// Whether a call makes something that has a location (RFC 9110 §15.3.2).
    enum Making {
        case always
        /// The output says it when there is one.
        case perhaps
        case never
    }
}

extension OutputForm<Void> {
    /// 204, without a body.
    static var nothing: Self {
        OutputForm(description: .nothing) { _, _ in Response(status: 204, body: .none) }
    }
}

extension OutputForm where Output: Encodable {
    /// 200 with the output as JSON, or 201 with where to find what was made (RFC 9110 §15.3.2).
    static func json(
        location locator: (@Sendable (Output) -> String?)?
    ) -> Self {
        let jsonFields = ResponseFields([("Content-Type", "application/json")])
        let making = locator == nil ? OutputDescription.Making.never : .perhaps
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
    /// 200 with the bytes, at once or as they are made.
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
    /// 200 with the events as they happen.
    static var events: Self {
        OutputForm(description: .events) { events, _ in
            let reader = SingleReader(events)
            return .events { try await reader.next() }
        }
    }
}

extension OutputForm where Output: AsyncSequence & Sendable, Output.Element: Encodable {
    /// 200 with each element as it comes, by the request's Accept: a line of JSON, or an event
    /// with the JSON as its data.
    static var elements: Self {
        let linesFields = [Self.lines, Self.otherLines].map {
            ResponseFields([
                ("Content-Type", "\($0)"), ("Cache-Control", "no-cache"), ("Vary", "Accept"),
            ])
        }
        return OutputForm(
            offers: [lines, otherLines, Response.eventsType],
            description: .elements(Output.Element.self)
        ) { elements, offer in
            let reader = SingleReader(elements)
            guard offer < linesFields.count else {
                var response = Response.events {
                    guard let element = try await reader.next() else { return nil }
                    return ServerSentEvent(
                        data: String(decoding: try JSON.encode(element), as: UTF8.self)
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
    /// A sign of life: white space before the next line's value, which is JSON all the same.
    private static var space: UInt8 { 0x20 }

    private static var otherLines: StaticString { "application/x-ndjson" }
}

extension Response {
    fileprivate static let eventsType: StaticString = "text/event-stream"

    /// Events as they happen, with a sign of life between them.
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
        // Asks nginx, where that stands in front, not to keep events until it has many.
        ("X-Accel-Buffering", "no"),
    ])

    /// A comment, which clients skip (HTML Standard §9.2.6).
    private static let heartbeat = Array(":\n\n".utf8)
}
