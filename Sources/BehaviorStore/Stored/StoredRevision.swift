import Targeting

/// One immutable stored revision of a document.
package struct StoredRevision: Sendable, Equatable {
    /// The revision's metadata.
    package var info: RevisionInfo
    /// The document, byte for byte as it was put.
    package var bytes: [UInt8]

    package init(info: RevisionInfo, bytes: [UInt8]) {
        self.info = info
        self.bytes = bytes
    }
}

/// A revision's metadata: everything but its bytes.
package struct RevisionInfo: Codable, Sendable, Equatable {
    /// The document.
    package var key: DocumentKey
    /// The revision's number: consecutive from 1 in each document.
    package var number: Int
    /// The author: an ``Author``'s ``Author/id``.
    package var author: String
    /// The author's name at that time; may be empty.
    package var authorName: String
    /// The author's message; empty if there is none.
    package var message: String
    /// The SHA-256 digest of the bytes, in 64 hexadecimal digits.
    package var digest: String
    /// The number of bytes.
    package var size: Int
    /// When the revision was made, in seconds since 1970.
    package var created: Int

    package init(
        key: DocumentKey,
        number: Int,
        author: String,
        authorName: String = "",
        message: String,
        digest: String,
        size: Int,
        created: Int
    ) {
        self.key = key
        self.number = number
        self.author = author
        self.authorName = authorName
        self.message = message
        self.digest = digest
        self.size = size
        self.created = created
    }
}

/// A live revision and the time since which it is live.
struct LiveRevision: Sendable {
    /// The revision.
    var revision: StoredRevision
    /// When it went live, in seconds since 1970.
    var since: Int
    /// The compiled document; nil before it is compiled.
    var behavior: TargetedBehavior?
    /// Whether the bytes' digest was verified.
    var isVerified: Bool

    init(
        _ revision: StoredRevision,
        since: Int,
        behavior: TargetedBehavior? = nil,
        isVerified: Bool = false
    ) {
        self.revision = revision
        self.since = since
        self.behavior = behavior
        self.isVerified = isVerified
    }

    /// Makes the live revision of a document from its stored state.
    init(_ revision: StoredRevision, _ state: DocumentState) {
        self.init(revision, since: state.since ?? revision.info.created)
    }
}
