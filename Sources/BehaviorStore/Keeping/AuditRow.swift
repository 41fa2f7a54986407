import Digests

/// One change, as it is written down for good: each row's hash covers the row and the hash before it.
package struct AuditRow: Sendable, Equatable {
    /// Its place, from 1 on without a gap.
    package var sequence: Int
    /// When, in seconds since 1970.
    package var at: Int
    /// Who, and from where.
    package var author: Author
    /// What was done: `publish`, `draft`, `rollback`.
    package var change: String
    /// In which environment; empty where it is of none.
    package var environment: String
    /// To which document; empty where it is of none.
    package var name: String
    /// What was, as JSON; nil where there was nothing.
    package var before: String?
    /// What is, as JSON; nil where there is nothing.
    package var after: String?
    /// The hash of the row before, in 64 hexadecimal digits; zeros in the first row.
    package var previous: String
    /// The hash of this row.
    package var hash: String

    /// A row as it is kept.
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

    /// The row that follows upon others.
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

    /// What the hash has to be: SHA-256 over each member behind its length, so that nothing can move
    /// from one member to the next.
    package var computedHash: String {
        var bytes: [UInt8] = []
        func add(_ text: String?) {
            let length = text.map { UInt64($0.utf8.count) } ?? .max
            withUnsafeBytes(of: length.bigEndian) { bytes += $0 }
            bytes += (text ?? "").utf8
        }
        let members = [
            previous, String(sequence), String(at), author.id, author.name, author.address, change,
            environment, name, before, after,
        ]
        members.forEach(add)
        return Hexadecimal.sha256(bytes)
    }
}

/// The end of the chain: what the next row follows upon.
package struct AuditHead: Sendable, Equatable {
    /// The last row's place; 0 where there is none.
    package var sequence: Int
    /// The last row's hash; zeros where there is none.
    package var hash: String

    /// Before the first row.
    package static let none = AuditHead(sequence: 0, hash: String(repeating: "0", count: 64))

    package init(sequence: Int, hash: String) {
        self.sequence = sequence
        self.hash = hash
    }

    /// Upon that row.
    package init(_ row: AuditRow) { self.init(sequence: row.sequence, hash: row.hash) }
}
