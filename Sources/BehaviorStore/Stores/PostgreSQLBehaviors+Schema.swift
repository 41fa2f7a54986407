package import PostgreSQL

extension SQLRow: BehaviorRow {
    package func text(_ column: String) throws -> String { try get(column) }
    package func optionalText(_ column: String) throws -> String? { try get(column) }
    package func integer(_ column: String) throws -> Int? { try get(column) }
    package func bytes(_ column: String) throws -> [UInt8] { try get(column) }
}

extension PostgreSQLBehaviors {
    /// The tables.
    ///
    /// Names sort by their bytes, whatever the database's collation is.
    package static func schema() -> PostgreSQLSchema {
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
            ],
            then: [
                // The history of a document reads its rows of the audit.
                [
                    """
                    CREATE INDEX plugboard_audit_document
                    ON plugboard_audit (environment, name, sequence)
                    """
                ]
            ]
        )
    }
}
