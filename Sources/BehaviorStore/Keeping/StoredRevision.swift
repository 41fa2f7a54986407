import Targeting

/// One revision of a document as it is kept, never changed once it is there.
package struct StoredRevision: Sendable, Equatable {
    /// What is known of it.
    package var info: RevisionInfo
    /// The document, byte by byte as it was put.
    package var bytes: [UInt8]

    package init(info: RevisionInfo, bytes: [UInt8]) {
        self.info = info
        self.bytes = bytes
    }
}

/// What is known of a revision beside its bytes.
package struct RevisionInfo: Sendable, Equatable {
    /// Which document's.
    package var key: DocumentKey
    /// Its number, from 1 on without a gap in each document.
    package var number: Int
    /// Who made it: an ``Author``'s ``Author/id``.
    package var author: String
    /// The author's name at that time; may be empty.
    package var authorName: String
    /// Why, in the author's words; empty where none were given.
    package var message: String
    /// The SHA-256 digest of the bytes, in 64 hexadecimal digits.
    package var digest: String
    /// How many bytes there are.
    package var size: Int
    /// When it was made, in seconds since 1970.
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

/// A live revision, and since when it is live.
struct LiveRevision: Sendable {
    /// The revision.
    var revision: StoredRevision
    /// When it went live, in seconds since 1970.
    var since: Int
    /// The compiled document; nil where nobody has compiled it yet.
    var behavior: TargetedBehavior?
    /// Whether the bytes were compared with their digest.
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

    /// The live revision of a document as it is stored.
    init(_ revision: StoredRevision, _ state: DocumentState) {
        self.init(revision, since: state.since ?? revision.info.created)
    }
}
