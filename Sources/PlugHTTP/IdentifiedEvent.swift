/// A value of a stream, with the id of its event.
///
/// ```swift
/// extension Likes: IdentifiedEvent { var eventID: String { "\(likes)" } }
/// ```
/// The server sends the id with each event of `text/event-stream`. A client whose connection broke
/// sends the last one as `Last-Event-ID`. The action's input can have a member of that field
/// (`fields`), so that the stream continues after this event.
public protocol IdentifiedEvent {
    /// The id: one line, and not empty.
    var eventID: String { get }
}
