import PostgreSQL

// The statements that SQLite and PostgreSQL have in common.

extension SQLStatement {
    // MARK: Queries

    static let head: SQLStatement =
        "SELECT sequence, hash FROM plugboard_audit ORDER BY sequence DESC LIMIT 1"

    static let documents: SQLStatement =
        "SELECT * FROM plugboard_document ORDER BY environment, name"

    static func document(_ key: DocumentKey) -> SQLStatement {
        """
        SELECT * FROM plugboard_document
        WHERE environment = \(key.environment) AND name = \(key.name)
        """
    }

    static func revision(_ number: Int, of key: DocumentKey) -> SQLStatement {
        """
        SELECT * FROM plugboard_revision
        WHERE environment = \(key.environment) AND name = \(key.name) AND number = \(number)
        """
    }

    static func revisions(of key: DocumentKey, before: Int, limit: Int) -> SQLStatement {
        """
        SELECT environment, name, number, author, author_name, message, digest, size, created
        FROM plugboard_revision
        WHERE environment = \(key.environment) AND name = \(key.name) AND number < \(before)
        ORDER BY number DESC LIMIT \(limit)
        """
    }

    static func records(
        _ kind: RecordKind,
        environment: String?,
        name: String?
    ) -> SQLStatement {
        """
        SELECT * FROM plugboard_record
        WHERE kind = \(kind.rawValue) AND environment = coalesce(\(environment), environment)
            AND name = coalesce(\(name), name)
        ORDER BY environment, name, item
        """
    }

    static func recordCount(_ kind: RecordKind) -> SQLStatement {
        "SELECT count(*) AS count FROM plugboard_record WHERE kind = \(kind.rawValue)"
    }

    /// The documents with a live revision, each with that revision if it exists.
    static func live(in environment: String) -> SQLStatement {
        """
        SELECT * FROM plugboard_document AS document
        LEFT JOIN plugboard_revision AS revision
        ON revision.environment = document.environment AND revision.name = document.name
            AND number = live
        WHERE document.environment = \(environment) AND live IS NOT NULL
        ORDER BY document.name
        """
    }

    // MARK: Rows that no query above reads

    static let documentNames: SQLStatement = "SELECT environment, name FROM plugboard_document"

    static let strayRevisions: SQLStatement = """
        SELECT environment, name, number FROM plugboard_revision
        LEFT JOIN plugboard_document USING (environment, name)
        WHERE latest IS NULL OR number = \(Int.max)
        ORDER BY environment, name, number LIMIT \(StrayRow.maximumCount)
        """

    static let lowestRow: SQLStatement =
        "SELECT 1 FROM plugboard_audit WHERE sequence = \(Int.min)"

    static let recordKinds: SQLStatement =
        "SELECT DISTINCT kind FROM plugboard_record ORDER BY kind"

    // MARK: Changes

    static func insert(_ row: AuditRow) -> SQLStatement {
        """
        INSERT INTO plugboard_audit (
            sequence, at, author, author_name, address, change, environment, name, before, after,
            previous, hash
        ) VALUES (
            \(row.sequence), \(row.at), \(row.author.id), \(row.author.name),
            \(row.author.address), \(row.change), \(row.environment), \(row.name),
            \(row.before), \(row.after), \(row.previous), \(row.hash)
        )
        """
    }

    static func insert(_ revision: StoredRevision) -> SQLStatement {
        let info = revision.info
        return """
            INSERT INTO plugboard_revision (
                environment, name, number, author, author_name, message, digest, size, created, bytes
            ) VALUES (
                \(info.key.environment), \(info.key.name), \(info.number), \(info.author),
                \(info.authorName), \(info.message), \(info.digest), \(info.size), \(info.created),
                \(revision.bytes)
            )
            """
    }

    static func put(_ document: DocumentState) -> SQLStatement {
        """
        INSERT INTO plugboard_document (environment, name, latest, live, since)
        VALUES (
            \(document.key.environment), \(document.key.name), \(document.latest),
            \(document.live), \(document.since)
        )
        ON CONFLICT (environment, name) DO UPDATE
        SET latest = excluded.latest, live = excluded.live, since = excluded.since
        """
    }

    /// Stores a record, or deletes it if the value is nil.
    static func put(_ key: RecordKey, _ value: String?) -> SQLStatement {
        guard let value else {
            return """
                DELETE FROM plugboard_record
                WHERE kind = \(key.kind.rawValue) AND environment = \(key.environment)
                    AND name = \(key.name) AND item = \(key.item)
                """
        }
        return """
            INSERT INTO plugboard_record (kind, environment, name, item, value)
            VALUES (
                \(key.kind.rawValue), \(key.environment), \(key.name), \(key.item), \(value)
            )
            ON CONFLICT (kind, environment, name, item) DO UPDATE SET value = excluded.value
            """
    }
}
