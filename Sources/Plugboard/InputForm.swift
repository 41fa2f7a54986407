import HTTPSyntax
import JSONCodec
import Plug
import PlugHTTP

/// How an action's input is made of a request.
enum InputForm<Input: Sendable>: Sendable {
    /// Of the whole body and the target's values.
    case whole(Decode, InputDescription)
    /// Of the body as it comes.
    case pieces(@Sendable (RequestBody) -> Input)

    typealias Decode = @Sendable (ByteSpan, [TextMember], DecodingRoom) throws -> Input
}

/// What an action takes, for those who describe it.
enum InputDescription: Sendable {
    case nothing
    case value(DecodingContract)
    case body
}

extension InputForm where Input: Decodable {
    /// Decoded from JSON and texts, and held against its type's constraints, if it has any.
    ///
    /// Whether it has any is found out when somebody first asks: looking is what takes the time.
    static func decoded(for action: any ActionProtocol.Type) -> Self {
        decoded(for: action, keeping: .of(Input.self))
    }

    /// The same where it is known that its type declares something: no look through all conformances
    /// has to tell.
    static func decoded(declaring action: any ActionProtocol.Type) -> Self
    where Input: SchemaDeclaring {
        decoded(for: action, keeping: .of(declaring: Input.self))
    }

    private static func decoded(
        for action: any ActionProtocol.Type,
        keeping contract: DecodingContract
    ) -> Self {
        .whole(
            { body, text, room in
                do {
                    return try JSON.decode(
                        Input.self,
                        from: UnsafeRawBufferPointer(body),
                        text: text,
                        keeping: contract,
                        in: room
                    )
                } catch let errors as JSONTypeErrors {
                    // Asked for where a request is refused, so that those that aren't know nothing
                    // of it.
                    let names = (try? ActionRoute(action))?.template.names
                    throw Problem(invalid: errors, pathNames: names ?? [])
                }
            },
            .value(contract)
        )
    }
}

extension InputForm<Void> {
    /// Nothing: what the request carries is not looked at.
    static var nothing: Self { .whole({ _, _, _ in }, .nothing) }
}

extension InputForm<RequestBody> {
    /// The body itself.
    static var body: Self { .pieces { $0 } }
}
