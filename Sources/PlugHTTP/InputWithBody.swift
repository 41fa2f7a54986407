/// An input that makes its request's body, beside the members in the path, the query and the fields.
///
/// ```swift
/// class PutObject: Action<PutObject.Input, Void>, PUT {
///     struct Input: InputWithBody {
///         var bucket: String
///         var name: String
///         var content: RequestBody
///         private enum CodingKeys: CodingKey { case bucket, name }
///         func encode(to encoder: any Encoder) throws {
///             var container = encoder.container(keyedBy: CodingKeys.self)
///             try container.encode(bucket, forKey: .bucket)
///             try container.encode(name, forKey: .name)
///         }
///         func requestBody() -> RequestBody? { content }
///     }
///     static var path: String { "/buckets/{bucket}/objects/{name}" }
/// }
/// ```
/// Only clients can use it: it calls the APIs of others, whose bodies are lists, forms or files. Its
/// encoded members are sent in the path, the fields and the query, and never in the body.
public protocol InputWithBody: Encodable, Sendable {
    /// Returns the body; nil for a request without one.
    ///
    /// - Throws: `ClientError` of kind `invalidInput` if a value can't be sent.
    func requestBody() throws -> RequestBody?
}
