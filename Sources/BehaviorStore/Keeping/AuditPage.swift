/// Rows of the audit that are given at once: bounded by their number and by their size.
///
/// It ends early where its rows are large, and is never empty where there are more: who reads on goes
/// on behind its last row.
struct AuditPage {
    /// From how many bytes of its rows' texts on a page takes no more: 1 MiB.
    static let greatestSize = 1 << 20

    private(set) var rows: [AuditRow] = []
    private var size = 0
    private let limit: Int

    /// An empty page for at most `limit` rows.
    init(_ limit: Int) { self.limit = limit }

    /// A page of as many of those as it takes.
    init(_ rows: some Sequence<AuditRow>, _ limit: Int) {
        self.init(limit)
        take(rows)
    }

    /// Whether there is room for another row.
    var isOpen: Bool { rows.count < limit && size < Self.greatestSize }

    /// Takes a row, where there is room.
    mutating func take(_ row: AuditRow) {
        guard isOpen else { return }
        rows.append(row)
        size += row.size
    }

    /// Takes as many of those as there is room for.
    mutating func take(_ rows: some Sequence<AuditRow>) {
        for row in rows {
            guard isOpen else { return }
            take(row)
        }
    }
}

extension AuditRow {
    /// How many bytes its texts have.
    fileprivate var size: Int {
        let texts = [
            author.id, author.name, author.address, change, environment, name, previous, hash,
        ]
        return texts.reduce((before?.utf8.count ?? 0) + (after?.utf8.count ?? 0)) {
            $0 + $1.utf8.count
        }
    }
}
