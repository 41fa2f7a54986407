/// The numbers of a document's newest and live revisions.
package struct DocumentState: Codable, Sendable, Equatable {
    /// The document's name and environment.
    package var key: DocumentKey
    /// The number of the newest revision.
    package var latest: Int
    /// The number of the live revision; nil if there are only drafts.
    ///
    /// It only increases: a rollback publishes an old revision's bytes as a new revision.
    package var live: Int?
    /// When that revision went live, in seconds since 1970; nil if none is live.
    package var since: Int?

    package init(key: DocumentKey, latest: Int, live: Int? = nil, since: Int? = nil) {
        self.key = key
        self.latest = latest
        self.live = live
        self.since = since
    }
}
