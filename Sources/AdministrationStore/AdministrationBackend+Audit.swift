package import PostgreSQL
import Storage

extension AdministrationBackend {
    /// The maximum number of rows that a check reads at once.
    private var checkedPage: Int { 500 }

    /// Verifies the audit's rows, and compares the stored things with them.
    ///
    /// A row must have the expected hash. `queries` select the stored things, and `compare` compares
    /// their results with the rows.
    ///
    /// - Returns: nil if nothing was ever stored.
    /// - Throws: an error if the store can't be read.
    package func check(
        expecting hash: String?,
        _ queries: [SQLStatement],
        _ differences: [String],
        _ compare: (inout AdministrationCheck, [[SQLRow]]) -> Void
    ) async throws -> AdministrationCheck? {
        var check = AdministrationCheck(expecting: hash)
        differences.forEach { check.find($0) }
        do {
            // At one moment; the rows up to the head never change afterwards.
            guard let stored = try await read([tables.head] + queries) else { return nil }
            let head = stored[0].first.map(AdministrationHead.init) ?? AdministrationHead.none
            var next = Int.min
            repeat {
                let page = try await read(tables.rows(from: next, limit: checkedPage)) ?? []
                let rows = page.map(AdministrationRow.init)
                for row in rows where row.sequence <= head.sequence { check.take(row) }
                guard next < head.sequence, let last = rows.last?.sequence,
                    (next..<head.sequence).contains(last)
                else { break }
                next = last + 1
            } while true
            compare(&check, Array(stored.dropFirst()))
        } catch  where !differences.isEmpty && !isOutage(error) {
            // A view in a table's place may lack columns.
            return AdministrationCheck(unreadable: differences + ["\(error)"])
        }
        return check
    }

    /// Whether the store can't be read at all.
    private func isOutage(_ error: any Error) -> Bool {
        error is AdministrationError || error is StorageError || error is CancellationError
    }
}
