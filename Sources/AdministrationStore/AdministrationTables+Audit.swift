package import PostgreSQL

extension AdministrationTables {
    /// The most bytes that a page's rows have before its last row: 1 MiB.
    static let maximumPage = 1 << 20

    /// Selects the last row's place and hash.
    package var head: SQLStatement {
        "SELECT sequence, hash FROM \(audit) ORDER BY sequence DESC LIMIT 1"
    }

    /// Selects at most `limit` rows from a place on, in their order.
    package func rows(from place: Int, limit: Int) -> SQLStatement {
        page("sequence >= \(place)", "sequence", limit)
    }

    /// Selects at most `limit` rows before a place, the newest first.
    package func rows(before place: Int, limit: Int) -> SQLStatement {
        page("sequence < \(place)", "sequence DESC", limit)
    }

    /// Selects a page, which large rows make shorter; it has at least one row if there are more.
    private func page(
        _ condition: SQLStatement,
        _ order: SQLStatement,
        _ limit: Int
    ) -> SQLStatement {
        """
        SELECT * FROM (
            SELECT *, sum(coalesce(length(before), 0) + coalesce(length(after), 0)) OVER (
                ORDER BY \(order) ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ) AS above FROM (
                SELECT * FROM \(audit) WHERE \(condition) ORDER BY \(order) LIMIT \(limit)
            ) AS page
        ) AS sized
        WHERE above IS NULL OR above < \(Self.maximumPage) ORDER BY \(order)
        """
    }

    /// Selects the last changes of a plug, the newest first.
    package func plugChanges(of action: String, limit: Int) -> SQLStatement {
        """
        SELECT * FROM \(audit) WHERE name = \(action)
            AND change IN (\(AdministrationChange.setPlug.rawValue),
                \(AdministrationChange.resetPlug.rawValue))
        ORDER BY sequence DESC LIMIT \(limit)
        """
    }

    func insert(_ row: AdministrationRow) -> SQLStatement {
        """
        INSERT INTO \(audit) (sequence, at, author, author_name, address, change, name, before,
            after, reason, previous, hash)
        VALUES (
            \(row.sequence), \(row.at), \(row.author), \(row.authorName), \(row.address),
            \(row.change), \(row.name), \(row.before), \(row.after), \(row.reason),
            \(row.previous), \(row.hash)
        )
        """
    }
}

extension AdministrationRow {
    /// Reads columns of any type: another program may have edited the table.
    package init(_ row: SQLRow) {
        func text(_ column: String) -> String? { try? row.get(column) }
        func number(_ column: String) -> Int { (try? row.get(column)) ?? 0 }
        self.init(
            sequence: number("sequence"),
            at: number("at"),
            author: text("author") ?? "",
            authorName: text("author_name") ?? "",
            address: text("address") ?? "",
            change: text("change") ?? "",
            name: text("name") ?? "",
            before: text("before"),
            after: text("after"),
            reason: text("reason") ?? "",
            previous: text("previous") ?? "",
            hash: text("hash") ?? ""
        )
    }

    /// The number of bytes in the row's texts.
    var size: Int {
        [author, authorName, address, change, name, reason, previous, hash]
            .reduce((before?.utf8.count ?? 0) + (after?.utf8.count ?? 0)) { $0 + $1.utf8.count }
    }
}

extension AdministrationHead {
    /// Reads the row of ``AdministrationTables/head``, also an edited one.
    package init(_ row: SQLRow) {
        let row = AdministrationRow(row)
        self.init(sequence: row.sequence, hash: row.hash)
    }
}
