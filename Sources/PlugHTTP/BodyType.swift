public import JSONCodec

/// A media type that an action's whole body may have.
///
/// ```swift
/// class ChangeNote: Action<ChangeNote.Input, Note>, PATCH {
///     struct Input: Codable, Sendable {
///         var id: Int
///         var patch: String
///         var mediaType: String
///     }
///     static var path: String { "/notes/{id}" }
///     static var wholeBody: String? { "patch" }
///     static var bodyTypes: [BodyType] { [BodyType("application/merge-patch+json"), BodyType("text/x-diff")] }
///     static var fields: [String: HTTPField.Name] { ["mediaType": .contentType] }
/// }
/// ```
public struct BodyType: Sendable {
    /// The media type in lower case, without parameters: `application/merge-patch+json`.
    public let name: String

    /// The type of the body's content, for the API's description; nil for none.
    public let content: (any (SchemaDescribing & SendableMetatype).Type)?

    /// Creates a body type.
    public init(_ name: String, _ content: (any (SchemaDescribing & SendableMetatype).Type)? = nil)
    {
        self.name = name
        self.content = content
    }
}
