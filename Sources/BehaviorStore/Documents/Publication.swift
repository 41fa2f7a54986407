/// A revision, and which revision of its document is live.
package struct Publication: Sendable, Equatable {
    /// The revision.
    package var info: RevisionInfo
    /// The number of the document's live revision; nil if none is live.
    package var live: Int?
    /// When the revision went live, in seconds since 1970; nil if it isn't live.
    package var wentLive: Int?
    /// The origin of a promoted revision; nil for another one.
    package var origin: RevisionOrigin?

    /// Whether this revision is the live one.
    package var isLive: Bool { info.number == live }
}
