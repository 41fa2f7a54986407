extension PostgreSQLSchema {
    /// Checks that a client can use the tables, and changes those of an earlier version if it may.
    ///
    /// Missing tables are created with the first write; the check only finds whether that will
    /// succeed.
    ///
    /// - Throws: ``PostgreSQLError``, which is ``PostgreSQLError/isUnprepared`` if the command
    ///   `migrate` or a grant is necessary.
    public func check(_ client: PostgreSQLClient) async throws {
        do {
            switch try await storedVersion(client) {
            case version: break
            case let stored where !client.configuration.migrates:
                throw PostgreSQLError.unprepared(self, stored, client)
            case nil: return try await checkCreation(client)
            default: try await migrate(client)
            }
            try await checkPermissions(client)
        } catch let error as PostgreSQLError where error.isMissingPermission {
            throw PostgreSQLError.unwritable([name], client)
        }
    }

    /// Checks that no schema has a version that this program doesn't know.
    ///
    /// The check of one schema may migrate it, although the next one rejects the database.
    package static func checkVersions(
        of schemas: [PostgreSQLSchema],
        _ client: PostgreSQLClient
    ) async throws {
        for schema in schemas {
            do {
                _ = try await schema.storedVersion(client)
            } catch let error as PostgreSQLError where error.isMissingPermission {
                // The schema's own check has the remedy.
                continue
            }
        }
    }

    private func checkCreation(_ client: PostgreSQLClient) async throws {
        let rows = try await client.read(
            """
            SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS creates
            """
        )
        if try rows.first?.get("creates") != true { throw PostgreSQLError.forbidden(self, client) }
    }

    private func checkPermissions(_ client: PostgreSQLClient) async throws {
        // The table of the version is only read.
        let rows = try await client.read(
            """
            SELECT name FROM unnest(string_to_array(\(tables.joined(separator: ",")), ',')) AS name
            WHERE NOT (
                has_table_privilege(to_regclass(name), 'SELECT')
                AND has_table_privilege(to_regclass(name), 'INSERT')
                AND has_table_privilege(to_regclass(name), 'UPDATE')
                AND has_table_privilege(to_regclass(name), 'DELETE')
            ) ORDER BY name
            """
        )
        guard !rows.isEmpty else { return }
        throw PostgreSQLError.unwritable(try rows.map { try $0.get("name") }, client)
    }

    // MARK: Statements for an operator

    /// The names of the tables without that of the version.
    var tables: [String] { created("TABLE") }

    /// The names of the sequences.
    private var sequences: [String] { created("SEQUENCE") }

    /// Returns the names after `CREATE` and a kind.
    private func created(_ kind: String) -> [String] {
        versions.joined().compactMap { statement in
            let words = statement.text.split(whereSeparator: { $0.isWhitespace || $0 == "(" })
                .prefix(7).map(String.init).filter { $0 != "UNLOGGED" }
            guard words.first == "CREATE", words.dropFirst().first == kind else { return nil }
            return words.dropFirst(2).first { !["IF", "NOT", "EXISTS"].contains($0) }
        }
    }

    /// Returns the SQL of all statements that lead from a version to this one; empty if there are
    /// none.
    package func script(after version: Int?) -> [String] {
        let statements = missing(after: version)
        guard !statements.isEmpty else { return [] }
        return ([creation] + statements).map { $0.literalText + ";" }
    }

    /// Returns the SQL of the grants that a server's user needs if it may not create tables.
    package func grants(to user: String) -> [String] {
        let user = Self.quoted(user)
        var grants = ["GRANT SELECT ON \(name) TO \(user);"]
        if !tables.isEmpty {
            let names = tables.joined(separator: ", ")
            grants.append("GRANT SELECT, INSERT, UPDATE, DELETE ON \(names) TO \(user);")
        }
        if !sequences.isEmpty {
            grants.append(
                "GRANT USAGE ON SEQUENCE \(sequences.joined(separator: ", ")) TO \(user);"
            )
        }
        return grants
    }

    /// Returns the SQL that lets a user use the schema of a client's tables; nil for `public`, which
    /// everyone may use.
    package static func usage(
        of client: PostgreSQLClient,
        by user: String
    ) async throws -> String? {
        let rows = try await client.read("SELECT current_schema()::text AS name")
        let name: String? = try rows.first?.get("name")
        guard let name, name != "public" else { return nil }
        return "GRANT USAGE ON SCHEMA \(quoted(name)) TO \(quoted(user));"
    }

    /// Grants a server's user what it needs.
    package func grant(to user: String, _ client: PostgreSQLClient) async throws {
        for grant in grants(to: user) { try await client.run(SQLStatement(stringLiteral: grant)) }
    }

    private static func quoted(_ name: String) -> String {
        "\"\(name.replacing("\"", with: "\"\""))\""
    }
}

extension PostgreSQLError {
    /// Whether the user lacks a permission, or a schema for its tables.
    var isMissingPermission: Bool { state == "42501" || state == "3F000" }

    /// The tables are missing or old, and the client may not migrate them.
    static func unprepared(
        _ schema: PostgreSQLSchema,
        _ stored: Int?,
        _ client: PostgreSQLClient
    ) -> PostgreSQLError {
        let fault =
            stored.map {
                "\(schema.name) has version \($0), and this version needs \(schema.version)"
            }
            ?? "the tables of \(schema.name) are missing"
        return PostgreSQLError(unprepared: "\(client.address): \(fault): run the command migrate")
    }

    /// The user may not create or change the tables.
    static func forbidden(
        _ schema: PostgreSQLSchema,
        _ client: PostgreSQLClient,
        _ reason: PostgreSQLError? = nil
    ) -> PostgreSQLError {
        let detail = reason.map { " (\($0.message))" } ?? ""
        return PostgreSQLError(
            unprepared: "\(client.address): the user can't create the tables of \(schema.name)"
                + "\(detail): run the command migrate as a user that can"
        )
    }

    /// The user may not write the tables.
    static func unwritable(_ tables: [String], _ client: PostgreSQLClient) -> PostgreSQLError {
        PostgreSQLError(
            unprepared: "\(client.address): the user can't read and write "
                + "\(tables.joined(separator: ", ")): grant it what migrate --print shows"
        )
    }

    private init(unprepared message: String) {
        self.init(.unavailable, message)
        isUnprepared = true
    }
}
