package import PostgreSQL

/// A store in an SQL database: the queries that SQLite and PostgreSQL have in common.
///
/// Both have the same tables and columns.
package protocol DatabaseBehaviors: BehaviorBackend {
    /// Returns the values of a query's rows without nil; none if there is no table yet.
    func rows<Value: Sendable>(
        _ statement: SQLStatement,
        _ make: @escaping @Sendable (any BehaviorRow) throws -> Value?
    ) async throws -> [Value]
}

extension DatabaseBehaviors {
    package func head() async throws -> AuditHead {
        try await rows(.head) { try AuditHead(row: $0) }.first ?? .none
    }

    package func documents() async throws -> [DocumentState] {
        try await rows(.documents) { try DocumentState(row: $0) }
    }

    package func document(_ key: DocumentKey) async throws -> DocumentState? {
        try await rows(.document(key)) { try DocumentState(row: $0) }.first
    }

    package func revision(_ number: Int, of key: DocumentKey) async throws -> StoredRevision? {
        try await rows(.revision(number, of: key)) { try StoredRevision(row: $0) }.first
    }

    package func revisions(
        of key: DocumentKey,
        before: Int?,
        limit: Int
    ) async throws -> [RevisionInfo] {
        try await rows(.revisions(of: key, before: before ?? .max, limit: limit)) {
            try RevisionInfo(row: $0)
        }
    }

    package func records(
        _ kind: RecordKind,
        environment: String?,
        name: String?
    ) async throws -> [StoredRecord] {
        try await rows(.records(kind, environment: environment, name: name)) {
            try StoredRecord(kind, row: $0)
        }
    }

    package func recordCount(_ kind: RecordKind) async throws -> Int {
        try await rows(.recordCount(kind)) { try $0.integer("count") }.first ?? 0
    }

    package func contradictions() async throws -> [String] {
        let documents = try await rows(.documentNames) { row -> StrayRow? in
            guard try row.documentKey() == nil else { return nil }
            return .document(try row.text("name"), in: try row.text("environment"))
        }
        let revisions = try await rows(.strayRevisions) { row -> StrayRow? in
            .revision(
                try row.integer("number") ?? 0,
                of: try row.text("name"),
                in: try row.text("environment")
            )
        }
        let row = try await rows(.lowestRow) { _ in StrayRow.row }
        let kinds = try await rows(.recordKinds) { try $0.text("kind") }
        let found = try await foreignParts() + documents.prefix(StrayRow.maximumCount) + row
        return (found + revisions + StrayRow.records(kinds)).map(\.description)
    }

    /// Returns a document's state and its live revision; nil if the document's key is invalid.
    static func live(
        _ row: any BehaviorRow
    ) throws -> (state: DocumentState, revision: StoredRevision?)? {
        try DocumentState(row: row).map { ($0, try StoredRevision(row: row)) }
    }
}
