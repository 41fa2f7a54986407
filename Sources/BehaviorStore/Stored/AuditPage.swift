/// A page of audit rows, limited by their number and by their size.
///
/// A page of large rows has fewer than `limit`, but at least one if there are more rows. The caller
/// continues after its last row.
struct AuditPage {
    /// A page takes no further row after this many bytes of its rows' texts: 1 MiB.
    static let maximumSize = 1 << 20

    private(set) var rows: [AuditRow] = []
    private var size = 0
    private let limit: Int

    /// An empty page for at most `limit` rows.
    init(_ limit: Int) { self.limit = limit }

    /// Makes a page of as many of those rows as fit.
    init(_ rows: some Sequence<AuditRow>, _ limit: Int) {
        self.init(limit)
        take(rows)
    }

    /// Whether there is room for another row.
    var isOpen: Bool { rows.count < limit && size < Self.maximumSize }

    /// Adds a row if there is room.
    mutating func take(_ row: AuditRow) {
        guard isOpen else { return }
        rows.append(row)
        size += row.size
    }

    /// Adds as many of those rows as fit.
    mutating func take(_ rows: some Sequence<AuditRow>) {
        for row in rows {
            guard isOpen else { return }
            take(row)
        }
    }
}

extension AuditRow {
    /// The number of bytes in the row's texts.
    var size: Int {
        let texts = [
            author.id, author.name, author.address, change, environment, name, previous, hash,
        ]
        return texts.reduce((before?.utf8.count ?? 0) + (after?.utf8.count ?? 0)) {
            $0 + $1.utf8.count
        }
    }
}
