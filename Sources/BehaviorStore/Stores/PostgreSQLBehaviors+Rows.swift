import PostgreSQL

extension SQLRow: BehaviorRow {
    func text(_ column: String) throws -> String { try get(column) }
    func optionalText(_ column: String) throws -> String? { try get(column) }
    func integer(_ column: String) throws -> Int? { try get(column) }
    func bytes(_ column: String) throws -> [UInt8] { try get(column) }
}

extension PostgreSQLTransaction {
    func insert(_ row: AuditRow) async throws {
        try await run(
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
        )
    }

    func insert(_ revision: StoredRevision) async throws {
        let info = revision.info
        try await run(
            """
            INSERT INTO plugboard_revision (
                environment, name, number, author, author_name, message, digest, size, created, bytes
            ) VALUES (
                \(info.key.environment), \(info.key.name), \(info.number), \(info.author),
                \(info.authorName), \(info.message), \(info.digest), \(info.size), \(info.created),
                \(revision.bytes)
            )
            """
        )
    }

    func put(_ document: DocumentState) async throws {
        try await run(
            """
            INSERT INTO plugboard_document (environment, name, latest, live, since)
            VALUES (
                \(document.key.environment), \(document.key.name), \(document.latest),
                \(document.live), \(document.since)
            )
            ON CONFLICT (environment, name) DO UPDATE
            SET latest = excluded.latest, live = excluded.live, since = excluded.since
            """
        )
    }

    /// Stores a record, or deletes it if the value is nil.
    func put(_ key: RecordKey, _ value: String?) async throws {
        guard let value else {
            try await run(
                """
                DELETE FROM plugboard_record
                WHERE kind = \(key.kind.rawValue) AND environment = \(key.environment)
                    AND name = \(key.name) AND item = \(key.item)
                """
            )
            return
        }
        try await run(
            """
            INSERT INTO plugboard_record (kind, environment, name, item, value)
            VALUES (
                \(key.kind.rawValue), \(key.environment), \(key.name), \(key.item), \(value)
            )
            ON CONFLICT (kind, environment, name, item) DO UPDATE SET value = excluded.value
            """
        )
    }
}

extension PostgreSQLBehaviors {
    /// The tables.
    ///
    /// Names sort by their bytes, whatever the database's collation is.
    static func schema() -> PostgreSQLSchema {
        PostgreSQLSchema(
            "plugboard_schema",
            [
                """
                CREATE TABLE plugboard_audit (
                    sequence bigint PRIMARY KEY,
                    at bigint NOT NULL,
                    author text NOT NULL,
                    author_name text NOT NULL,
                    address text NOT NULL,
                    change text NOT NULL,
                    environment text NOT NULL,
                    name text NOT NULL,
                    before text,
                    after text,
                    previous text NOT NULL,
                    hash text NOT NULL
                )
                """,
                """
                CREATE TABLE plugboard_revision (
                    environment text COLLATE "C" NOT NULL,
                    name text COLLATE "C" NOT NULL,
                    number bigint NOT NULL,
                    author text NOT NULL,
                    author_name text NOT NULL,
                    message text NOT NULL,
                    digest text NOT NULL,
                    size bigint NOT NULL,
                    created bigint NOT NULL,
                    bytes bytea NOT NULL,
                    PRIMARY KEY (environment, name, number)
                )
                """,
                """
                CREATE TABLE plugboard_document (
                    environment text COLLATE "C" NOT NULL,
                    name text COLLATE "C" NOT NULL,
                    latest bigint NOT NULL,
                    live bigint,
                    since bigint,
                    PRIMARY KEY (environment, name)
                )
                """,
                """
                CREATE TABLE plugboard_record (
                    kind text COLLATE "C" NOT NULL,
                    environment text COLLATE "C" NOT NULL,
                    name text COLLATE "C" NOT NULL,
                    item text COLLATE "C" NOT NULL,
                    value text NOT NULL,
                    PRIMARY KEY (kind, environment, name, item)
                )
                """,
            ]
        )
    }
}
