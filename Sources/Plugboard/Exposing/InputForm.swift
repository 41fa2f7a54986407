import HTTPSyntax
import JSONCodec
import Plug
import PlugHTTP

/// The ways to make an action's input from a request.
enum InputForm<Input: Sendable>: Sendable {
    /// From the whole body and the target's values.
    case whole(Decode, InputDescription)
    /// From the body as a stream.
    case pieces(@Sendable (RequestBody) -> Input)

    typealias Decode = @Sendable (ByteSpan, [TextMember], ReusableTape) throws -> Input
}

/// An action's input, for its description.
enum InputDescription: Sendable {
    case nothing
    case value(DecodingContract)
    case body
}

extension InputForm where Input: Decodable {
    /// Decodes JSON and texts, and validates them against the type's constraints.
    ///
    /// The constraints are looked up at their first use, since the lookup is slow.
    static func decoded(for action: any ActionProtocol.Type) -> Self {
        decoded { try? ActionRoute(action) }
    }

    /// The same for a type that is an endpoint at compile time.
    ///
    /// The server has 30 such actions. Their start needs no lookup of a conformance, which searches
    /// the whole program.
    static func decoded(forEndpoint endpoint: any Endpoint.Type) -> Self {
        decoded { try? ActionRoute(endpoint: endpoint) }
    }

    private static func decoded(_ route: @escaping @Sendable () -> ActionRoute?) -> Self {
        let contract = DecodingContract.of(Input.self)
        let hasBody = route()?.hasBody ?? true
        return .whole(
            { body, text, room in
                do {
                    return try JSON.decode(
                        Input.self,
                        from: UnsafeRawBufferPointer(body),
                        text: text,
                        isWhole: !hasBody || text.contains { $0.origin == .query },
                        backend: contract,
                        in: room
                    )
                } catch let errors as JSONTypeErrors {
                    // Parsed only for an invalid input, so that valid ones don't pay for it.
                    throw Problem(invalid: errors, pathNames: route()?.template.names ?? [])
                }
            },
            .value(contract)
        )
    }
}

extension InputForm<Void> {
    /// No input: the request's content is ignored.
    static var nothing: Self { .whole({ _, _, _ in }, .nothing) }
}

extension InputForm<RequestBody> {
    /// The body itself.
    static var body: Self { .pieces { $0 } }
}
