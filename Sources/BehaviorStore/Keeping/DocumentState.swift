/// How far a document has come.
package struct DocumentState: Sendable, Equatable {
    /// Which document.
    package var key: DocumentKey
    /// The number of its newest revision.
    package var latest: Int
    /// The number of the revision that is live; nil where there are only drafts.
    ///
    /// It grows and never shrinks: what is older goes live again as a new revision.
    package var live: Int?
    /// When that went live, in seconds since 1970; nil where nothing is live.
    package var since: Int?

    package init(key: DocumentKey, latest: Int, live: Int? = nil, since: Int? = nil) {
        self.key = key
        self.latest = latest
        self.live = live
        self.since = since
    }
}
