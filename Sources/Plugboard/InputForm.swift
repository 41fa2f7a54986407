import HTTPCodec
import JSONCodec
import PlugHTTP

/// How an action's input is made of a request.
enum InputForm<Input: Sendable>: Sendable {
    /// Of the whole body and the target's values.
    case whole(@Sendable (ByteSpan, [TextMember], DecodingRoom) throws -> Input)
    /// Of the body as it comes.
    case pieces(@Sendable (RequestBody) -> Input)
}

extension InputForm where Input: Decodable {
    /// Decoded from JSON and texts.
    static var decoded: Self {
        .whole { body, text, room in
            try JSON.decode(Input.self, from: UnsafeRawBufferPointer(body), text: text, in: room)
        }
    }
}

extension InputForm<Void> {
    /// Nothing: what the request carries is not looked at.
    static var nothing: Self { .whole { _, _, _ in } }
}

extension InputForm<RequestBody> {
    /// The body itself.
    static var body: Self { .pieces { $0 } }
}
