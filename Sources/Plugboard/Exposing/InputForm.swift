import HTTPSyntax
import JSONCodec
import Locking
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
        let ignoresQuery = Once { Self.ignoresQuery(try? ActionRoute(action)) }
        return decoded(
            rejectsUnknown: !action.ignoresUnknownMembers,
            ignoresQuery: { ignoresQuery.value }
        ) { try? ActionRoute(action) }
    }

    /// Whether requests have no body, and no member can be in the query.
    ///
    /// Then a query can't be misspelled: it is ignored, such as `?utm_source=…` of a link.
    private static func ignoresQuery(_ route: ActionRoute?) -> Bool {
        guard let route, !route.hasBody else { return false }
        let others = route.template.names + route.fields.keys
        return !DecodingContract.of(Input.self).hasMembers(besides: others)
    }

    /// The same for one of the server's own actions, which reject unknown members.
    ///
    /// It is an endpoint at compile time: the start of 30 such actions needs no lookup of a
    /// conformance, which searches the whole program.
    static func decoded(forEndpoint endpoint: any Endpoint.Type) -> Self {
        decoded(rejectsUnknown: true, ignoresQuery: { false }) {
            try? ActionRoute(endpoint: endpoint)
        }
    }

    private static func decoded(
        rejectsUnknown: Bool,
        ignoresQuery: @escaping @Sendable () -> Bool,
        _ route: @escaping @Sendable () -> ActionRoute?
    ) -> Self {
        let contract = DecodingContract.of(Input.self)
        let hasBody = route()?.hasBody ?? true
        return .whole(
            { body, text, room in
                var text = text
                if rejectsUnknown, text.contains(where: { $0.origin == .query }), ignoresQuery() {
                    text.removeAll { $0.origin == .query }
                }
                do {
                    return try JSON.decode(
                        Input.self,
                        from: UnsafeRawBufferPointer(body),
                        text: text,
                        isWhole: !hasBody || text.contains { $0.origin == .query },
                        backend: contract,
                        rejectsUnknown: rejectsUnknown,
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
    /// No input: a query's members are unknown.
    ///
    /// The body isn't read.
    static func nothing(rejectsUnknown: Bool) -> Self {
        let contract = DecodingContract.of(NoMembers.self)
        return .whole(
            { _, text, room in
                guard rejectsUnknown, !text.isEmpty else { return }
                do {
                    _ = try JSON.decode(
                        NoMembers.self,
                        from: nil,
                        text: text,
                        backend: contract,
                        rejectsUnknown: true,
                        in: room
                    )
                } catch let errors as JSONTypeErrors {
                    throw Problem(invalid: errors)
                }
            },
            .nothing
        )
    }

    /// No input: a query is ignored.
    static var nothing: Self { .nothing(rejectsUnknown: false) }
}

/// An input without members.
private struct NoMembers: Decodable {
    private enum CodingKeys: CodingKey {}

    init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: CodingKeys.self)
    }
}

extension InputForm<RequestBody> {
    /// The body itself.
    static var body: Self { .pieces { $0 } }
}

extension ActionProtocol {
    /// Whether unknown members of its requests are ignored.
    ///
    /// A failed conformance lookup is slow, so it begins with the one that ``Declarations`` needs.
    fileprivate static var ignoresUnknownMembers: Bool {
        guard let governed = self as? any DeclaresPolicy.Type else { return false }
        return governed is any IgnoresUnknownMembers.Type
    }
}
