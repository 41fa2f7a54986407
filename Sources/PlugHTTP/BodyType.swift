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
    /// The media type in small letters, without parameters: `application/merge-patch+json`.
    public let name: String

    /// What a body of that type looks like, for the action's description; nil where it isn't said.
    public let content: (any (SchemaDescribing & SendableMetatype).Type)?

    /// A media type, and what bodies of it look like.
    public init(_ name: String, _ content: (any (SchemaDescribing & SendableMetatype).Type)? = nil)
    {
        self.name = name
        self.content = content
    }
}
