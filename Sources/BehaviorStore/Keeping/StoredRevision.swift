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

/// Who changes something, and from where.
package struct Author: Sendable, Equatable {
    /// What tells one from others, the same each time: a token's number.
    package var id: String
    /// The name that people have given them; may be empty.
    package var name: String
    /// The address that the request came from; empty where it came from none.
    package var address: String

    package init(id: String, name: String = "", address: String = "") {
        self.id = id
        self.name = name
        self.address = address
    }
}

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

/// What is live of a document, bytes and all.
package struct LiveRevision: Sendable, Equatable {
    /// The revision.
    package var revision: StoredRevision
    /// When it went live, in seconds since 1970.
    package var since: Int

    package init(_ revision: StoredRevision, since: Int) {
        self.revision = revision
        self.since = since
    }
}
