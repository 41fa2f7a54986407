/// A database row: values by column name; all databases have the same names.
package protocol BehaviorRow {
    func text(_ column: String) throws -> String
    func optionalText(_ column: String) throws -> String?
    func integer(_ column: String) throws -> Int?
    func bytes(_ column: String) throws -> [UInt8]
}

extension BehaviorRow {
    /// Nil if the key is invalid; only another program can have written it.
    func documentKey() throws -> DocumentKey? {
        DocumentKey(try text("name"), in: try text("environment"))
    }
}

extension DocumentState {
    init?(row: some BehaviorRow) throws {
        guard let key = try row.documentKey(), let latest = try row.integer("latest") else {
            return nil
        }
        self.init(
            key: key,
            latest: latest,
            live: try row.integer("live"),
            since: try row.integer("since")
        )
    }
}

extension RevisionInfo {
    init?(row: some BehaviorRow) throws {
        guard let key = try row.documentKey(), let number = try row.integer("number") else {
            return nil
        }
        self.init(
            key: key,
            number: number,
            author: try row.text("author"),
            authorName: try row.text("author_name"),
            message: try row.text("message"),
            digest: try row.text("digest"),
            size: try row.integer("size") ?? 0,
            created: try row.integer("created") ?? 0
        )
    }
}

extension StoredRevision {
    init?(row: some BehaviorRow) throws {
        guard let info = try RevisionInfo(row: row) else { return nil }
        self.init(info: info, bytes: try row.bytes("bytes"))
    }
}

extension StoredRecord {
    init(_ kind: RecordKind, row: some BehaviorRow) throws {
        let (environment, name) = (try row.text("environment"), try row.text("name"))
        self.init(
            RecordKey(kind, environment, name, try row.text("item")),
            try row.text("value")
        )
    }
}

extension AuditHead {
    init(row: some BehaviorRow) throws {
        self.init(sequence: try row.integer("sequence") ?? 0, hash: try row.text("hash"))
    }
}

extension AuditRow {
    init(row: some BehaviorRow) throws {
        self.init(
            sequence: try row.integer("sequence") ?? 0,
            at: try row.integer("at") ?? 0,
            author: Author(
                id: try row.text("author"),
                name: try row.text("author_name"),
                address: try row.text("address")
            ),
            change: try row.text("change"),
            environment: try row.text("environment"),
            name: try row.text("name"),
            before: try row.optionalText("before"),
            after: try row.optionalText("after"),
            previous: try row.text("previous"),
            hash: try row.text("hash")
        )
    }
}
