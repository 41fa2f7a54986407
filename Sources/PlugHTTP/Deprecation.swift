/// Since when an action shouldn't be used any more, and until when it can be.
public struct Deprecation: Sendable, Hashable {
    /// Since when: a day, `2026-11-01`, or a moment, `2026-11-01T12:00:00Z` (RFC 3339).
    public var since: String
    /// From when on it may be gone; nil where that isn't decided.
    public var sunset: String?
    /// Where people read what to use instead: a URI.
    public var link: String?

    /// A deprecation since that time.
    public init(since: String, sunset: String? = nil, link: String? = nil) {
        self.since = since
        self.sunset = sunset
        self.link = link
    }
}

/// An action that shouldn't be used any more.
///
/// ```swift
/// extension OldSearch: Deprecated {
///     static var deprecation: Deprecation {
///         Deprecation(since: "2026-11-01", sunset: "2027-05-01", link: "https://example.org/search")
///     }
/// }
/// ```
/// A server says so in each answer: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link`.
public protocol Deprecated: Governed {
    /// Since when, and until when.
    static var deprecation: Deprecation { get }
}
