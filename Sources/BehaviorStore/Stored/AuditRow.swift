import Digests

/// One recorded change, whose hash covers the row and the previous row's hash.
package struct AuditRow: Codable, Sendable, Equatable {
    /// Its place in the audit: consecutive numbers from 1.
    package var sequence: Int
    /// When the change was made, in seconds since 1970.
    package var at: Int
    /// The author and their address.
    package var author: Author
    /// The kind of change: `publish`, `draft`, `rollback`.
    package var change: String
    /// The environment; empty if the change has none.
    package var environment: String
    /// The document's name; empty if the change has no document.
    package var name: String
    /// The state before the change, as JSON; nil if there was none.
    package var before: String?
    /// The state after the change, as JSON; nil if there is none.
    package var after: String?
    /// The hash of the previous row, in 64 hexadecimal digits; zeros in the first row.
    package var previous: String
    /// The hash of this row.
    package var hash: String

    /// Makes a row from its stored members.
    package init(
        sequence: Int,
        at: Int,
        author: Author,
        change: String,
        environment: String,
        name: String,
        before: String?,
        after: String?,
        previous: String,
        hash: String
    ) {
        self.sequence = sequence
        self.at = at
        self.author = author
        self.change = change
        self.environment = environment
        self.name = name
        self.before = before
        self.after = after
        self.previous = previous
        self.hash = hash
    }

    /// Makes the row that follows the audit's last row.
    package init(
        after head: AuditHead,
        at: Int,
        author: Author,
        change: String,
        environment: String,
        name: String,
        from before: String?,
        to after: String?
    ) {
        self.init(
            sequence: head.sequence + 1,
            at: at,
            author: author,
            change: change,
            environment: environment,
            name: name,
            before: before,
            after: after,
            previous: head.hash,
            hash: ""
        )
        hash = computedHash
    }

    /// The correct hash of the row.
    package var computedHash: String {
        ChainHash.of([
            previous, String(sequence), String(at), author.id, author.name, author.address, change,
            environment, name, before, after,
        ])
    }
}

/// The end of the hash chain, which the next row continues.
package struct AuditHead: Sendable, Equatable {
    /// The last row's place; 0 if there is no row.
    package var sequence: Int
    /// The last row's hash; zeros if there is no row.
    package var hash: String

    /// The head of an empty audit.
    package static let none = AuditHead(sequence: 0, hash: ChainHash.start)

    package init(sequence: Int, hash: String) {
        self.sequence = sequence
        self.hash = hash
    }

    /// Makes the head of an audit that ends with that row.
    package init(_ row: AuditRow) { self.init(sequence: row.sequence, hash: row.hash) }
}
