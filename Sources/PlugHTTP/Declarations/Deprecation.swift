/// An action's deprecation, with its start and its end.
public struct Deprecation: Sendable, Hashable {
    /// The start: a day, `2026-11-01`, or a moment, `2026-11-01T12:00:00Z` (RFC 3339).
    public var since: String
    /// The earliest removal of the action; nil if it isn't decided.
    public var sunset: String?
    /// The URI of a page about the replacement.
    public var link: String?

    /// Creates a deprecation.
    public init(since: String, sunset: String? = nil, link: String? = nil) {
        self.since = since
        self.sunset = sunset
        self.link = link
    }
}

/// A deprecated action.
///
/// ```swift
/// extension OldSearch: Deprecated {
///     static var deprecation: Deprecation {
///         Deprecation(since: "2026-11-01", sunset: "2027-05-01", link: "https://example.org/search")
///     }
/// }
/// ```
/// Each response has the fields `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link`.
public protocol Deprecated: DeclaresPolicy {
    /// The start and the end.
    static var deprecation: Deprecation { get }
}
