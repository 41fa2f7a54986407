// The stored rows as change files and archives have them: flat objects of texts and numbers.

/// A row of the audit.
struct AuditForm: Codable {
    var sequence: Int
    var at: Int
    var author: String
    var authorName: String
    var address: String
    var change: String
    var environment: String
    var name: String
    var before: String?
    var after: String?
    var previous: String
    var hash: String

    init(_ row: AuditRow) {
        sequence = row.sequence
        at = row.at
        author = row.author.id
        authorName = row.author.name
        address = row.author.address
        change = row.change
        environment = row.environment
        name = row.name
        before = row.before
        after = row.after
        previous = row.previous
        hash = row.hash
    }

    var row: AuditRow {
        AuditRow(
            sequence: sequence,
            at: at,
            author: Author(id: author, name: authorName, address: address),
            change: change,
            environment: environment,
            name: name,
            before: before,
            after: after,
            previous: previous,
            hash: hash
        )
    }
}

/// A revision without its bytes.
struct RevisionForm: Codable {
    var environment: String
    var name: String
    var number: Int
    var author: String
    var authorName: String
    var message: String
    var digest: String
    var size: Int
    var created: Int

    init(_ info: RevisionInfo) {
        environment = info.key.environment
        name = info.key.name
        number = info.number
        author = info.author
        authorName = info.authorName
        message = info.message
        digest = info.digest
        size = info.size
        created = info.created
    }

    /// Nil if its key is invalid.
    var info: RevisionInfo? {
        DocumentKey(name, in: environment).map { key in
            RevisionInfo(
                key: key,
                number: number,
                author: author,
                authorName: authorName,
                message: message,
                digest: digest,
                size: size,
                created: created
            )
        }
    }
}

/// A document's newest and live revisions.
struct DocumentForm: Codable {
    var environment: String
    var name: String
    var latest: Int
    var live: Int?
    var since: Int?

    init(_ state: DocumentState) {
        environment = state.key.environment
        name = state.key.name
        latest = state.latest
        live = state.live
        since = state.since
    }

    /// Nil if its key is invalid.
    var state: DocumentState? {
        DocumentKey(name, in: environment).map { key in
            DocumentState(key: key, latest: latest, live: live, since: since)
        }
    }
}

/// A record; a nil value removes it.
struct RecordForm: Codable {
    var kind: String
    var environment: String
    var name: String
    var item: String
    var value: String?

    init(_ key: RecordKey, _ value: String?) {
        kind = key.kind.rawValue
        environment = key.environment
        name = key.name
        item = key.item
        self.value = value
    }

    /// Nil if its kind is unknown.
    var key: RecordKey? {
        RecordKind(rawValue: kind).map { RecordKey($0, environment, name, item) }
    }
}
