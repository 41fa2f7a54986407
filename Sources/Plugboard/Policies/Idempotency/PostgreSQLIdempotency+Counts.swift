import PostgreSQL

/// A change of an origin's counts.
struct KeyChange: Sendable {
    var count = 0
    var bytes = 0
}

/// A counted group of keys; compares byte by byte, as the database does.
struct StoredOrigin: Hashable, Comparable {
    private let texts: [[UInt8]]

    init(_ caller: String, _ action: String, _ origin: String) {
        texts = [caller, action, origin].map { Array($0.utf8) }
    }

    var caller: String { String(decoding: texts[0], as: UTF8.self) }
    var action: String { String(decoding: texts[1], as: UTF8.self) }
    var origin: String { String(decoding: texts[2], as: UTF8.self) }

    static func < (left: StoredOrigin, right: StoredOrigin) -> Bool {
        left.texts.lexicographicallyPrecedes(right.texts) { $0.lexicographicallyPrecedes($1) }
    }
}

extension PostgreSQLTransaction {
    /// Adds to the counts of origins, and returns the sums.
    @discardableResult
    func add(_ change: KeyChange, to origins: [StoredOrigin]) async throws -> [StoredKeys] {
        var sums: [StoredKeys] = []
        for origin in origins { sums.append(try await add(change, to: origin)) }
        return sums
    }

    private func add(_ change: KeyChange, to origin: StoredOrigin) async throws -> StoredKeys {
        let rows = try await run(
            """
            INSERT INTO plugboard_key_count AS known (caller, action, origin, count, bytes)
            VALUES (
                \(origin.caller), \(origin.action), \(origin.origin), \(change.count),
                \(change.bytes)
            )
            ON CONFLICT (caller, action, origin) DO UPDATE
            SET count = known.count + \(change.count), bytes = known.bytes + \(change.bytes)
            RETURNING count, bytes
            """
        )
        return StoredKeys(
            count: try rows.first?.get("count") ?? 0,
            bytes: try rows.first?.get("bytes") ?? 0
        )
    }

    /// Subtracts removed records from their counts, in the common lock order.
    func discount(_ gone: [SQLRow]) async throws {
        var changes: [StoredOrigin: KeyChange] = [:]
        for row in gone {
            let (caller, action): (String, String) = (try row.get("caller"), try row.get("action"))
            let bytes: Int = try row.get("bytes")
            for origin in IdempotencyClaim.origins(of: try row.get("origin")) {
                let origin = StoredOrigin(caller, action, origin)
                changes[origin, default: KeyChange()].count -= 1
                changes[origin, default: KeyChange()].bytes -= bytes
            }
        }
        for (origin, change) in changes.sorted(by: { $0.key < $1.key })
        where try await add(change, to: origin).count <= 0 {
            try await run(
                """
                DELETE FROM plugboard_key_count
                WHERE caller = \(origin.caller) AND action = \(origin.action)
                    AND origin = \(origin.origin) AND count <= 0
                """
            )
        }
    }
}

extension KeyRecord {
    init(row: SQLRow) throws {
        let status: Int? = try row.get("status")
        var answer: StoredResponse?
        if let status {
            answer = StoredResponse(
                status: status,
                fields: try row.get("fields"),
                body: try row.get("body"),
                isKept: try row.get("kept")
            )
        }
        self.init(
            fingerprint: try row.get("fingerprint"),
            run: try row.get("run"),
            isAlive: try row.get("alive"),
            answer: answer
        )
    }
}
