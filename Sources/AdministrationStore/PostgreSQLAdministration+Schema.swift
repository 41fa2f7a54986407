package import PostgreSQL

extension PostgreSQLAdministration {
    /// The tables, with the columns of the data folder's.
    package static func schema() -> PostgreSQLSchema {
        PostgreSQLSchema(
            "plugboard_administration_schema",
            [
                """
                CREATE TABLE plugboard_administration (
                    sequence bigint PRIMARY KEY,
                    at bigint NOT NULL,
                    author text NOT NULL,
                    author_name text NOT NULL,
                    address text NOT NULL,
                    change text NOT NULL,
                    name text COLLATE "C" NOT NULL,
                    before text,
                    after text,
                    reason text NOT NULL,
                    previous text NOT NULL,
                    hash text NOT NULL
                )
                """,
                """
                CREATE INDEX plugboard_administration_name
                ON plugboard_administration (name, sequence)
                """,
                """
                CREATE TABLE plugboard_token (
                    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                    number bigint NOT NULL UNIQUE,
                    digest bytea NOT NULL,
                    name text NOT NULL,
                    scopes text NOT NULL,
                    created bigint NOT NULL,
                    expires bigint,
                    used bigint,
                    revoked bigint
                )
                """,
                """
                CREATE TABLE plugboard_plug (
                    action text COLLATE "C" PRIMARY KEY,
                    plan text NOT NULL
                )
                """,
                "CREATE TABLE plugboard_scope (name text COLLATE \"C\" PRIMARY KEY)",
            ]
        )
    }
}
