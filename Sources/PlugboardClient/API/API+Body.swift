import HTTPTransport
import JSONCodec
public import PlugHTTP

extension API {
    /// The body of a request.
    public enum Body: Content {
        /// No body.
        case none
        /// A text, as UTF-8.
        case string(String, mediaType: String = "text/plain; charset=utf-8")
        /// Bytes of any media type.
        case bytes([UInt8], mediaType: String = "application/octet-stream")
        /// A value as JSON.
        case json(any Encodable & Sendable)
        /// A value's members as `application/x-www-form-urlencoded`, which the client encodes.
        ///
        /// A list repeats its name: `tag=a&tag=b`. A nested member is `near[city]=Riga`.
        case form(any Encodable & Sendable)
        /// Fields and files as `multipart/form-data`.
        case multipart(MultipartForm)
        /// A body of any size and media type.
        case stream(RequestBody)

        /// Bytes, such as `Data`, of any media type.
        public static func data(
            _ bytes: some Sequence<UInt8>,
            mediaType: String = "application/octet-stream"
        ) -> Body { .bytes(Array(bytes), mediaType: mediaType) }

        /// Parameters as `application/x-www-form-urlencoded`, which the client encodes.
        public static func url(_ parameters: [String: String]) -> Body { .form(parameters) }

        /// The body itself.
        public var body: Body { self }

        /// Returns the media type and the body that a transport sends.
        ///
        /// - Throws: `ClientError` of kind `invalidInput` if a value can't be encoded.
        func encoded() throws(ClientError) -> (mediaType: String?, body: TransportBody) {
            switch self {
            case .none: (nil, .none)
            case .string(let text, let mediaType): (mediaType, .bytes(Array(text.utf8)))
            case .bytes(let bytes, let mediaType): (mediaType, .bytes(bytes))
            case .json(let value): ("application/json", .bytes(try Self.json(value).encoded()))
            case .form(let value):
                ("application/x-www-form-urlencoded", .bytes(try Self.form(value)))
            case .multipart(let form): try Self.typed(form.body())
            case .stream(let body): Self.typed(body)
            }
        }

        private static func typed(
            _ body: RequestBody
        ) -> (mediaType: String?, body: TransportBody) { (body.mediaType, body.transported) }

        private static func json(_ value: any Encodable) throws(ClientError) -> JSON {
            do {
                return try JSON(encoding: value)
            } catch {
                throw ClientError(.invalidInput, "The body can't be encoded as JSON: \(error)")
            }
        }

        private static func form(_ value: any Encodable) throws(ClientError) -> [UInt8] {
            guard case .object(let members) = try json(value) else {
                throw ClientError(.invalidInput, "A form's value must have members")
            }
            return Array(Query.text(try QueryEncoding.items(members)).utf8)
        }
    }
}
