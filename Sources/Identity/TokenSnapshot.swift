import AdministrationStore
import PlugHTTP
import PostgreSQL

/// The tokens in memory, as of a row of the audit.
struct TokenSnapshot: Sendable {
    struct Entry: Sendable {
        let record: TokenRecord
        let caller: Caller
        let lastUse: LastUse
    }

    /// The tokens that aren't revoked, by their numbers.
    private(set) var entries: [UInt64: Entry] = [:]
    /// The numbers of revoked tokens.
    private(set) var revoked: Set<UInt64> = []
    /// The last row of the audit whose change it has; it may also have later ones.
    fileprivate(set) var head = AdministrationHead.none

    /// Takes all tokens; those that it had keep their last uses.
    fileprivate mutating func replace(
        _ valid: [SQLRow],
        _ numbers: [SQLRow],
        _ implied: ImpliedScopes
    ) {
        let known = entries
        entries = [:]
        revoked = Set(numbers.compactMap(Self.number))
        for row in valid { put(row, known, implied) }
    }

    /// Takes the rows of some tokens; a number without a row no longer exists.
    fileprivate mutating func update(
        _ numbers: Set<UInt64>,
        _ rows: [SQLRow],
        _ implied: ImpliedScopes
    ) {
        let known = entries
        for number in numbers { entries[number] = nil }
        for row in rows {
            if (try? row.get("revoked", as: SQLValue.self)) == .null {
                put(row, known, implied)
            } else if let number = Self.number(row) {
                revoked.insert(number)
            }
        }
    }

    private mutating func put(
        _ row: SQLRow,
        _ known: [UInt64: Entry],
        _ implied: ImpliedScopes
    ) {
        guard let record = TokenRecord(row), entries[record.number] == nil else { return }
        entries[record.number] = Entry(
            record: record,
            caller: implied.expand(record.caller),
            lastUse: known[record.number]?.lastUse ?? LastUse()
        )
    }

    private static func number(_ row: SQLRow) -> UInt64? {
        (try? row.get("number", as: Int.self)).flatMap { UInt64(exactly: $0) }
    }
}

/// The steps that bring a snapshot up to date: which queries to run, and their results.
///
/// It has no effect itself, so callers that block and callers that wait share it. The audit's rows
/// name the changed tokens, and only those are read.
struct TokenLoad {
    private enum Step {
        /// Reads all tokens.
        case everything
        /// Reads the audit's next rows.
        case news
        /// Reads the tokens that these rows changed, up to a head.
        case tokens(Set<UInt64>, AdministrationHead)
        case done
    }

    private(set) var snapshot: TokenSnapshot
    private var step: Step
    private let tables: AdministrationTables
    private let implied: ImpliedScopes

    /// Starts from a known snapshot; nil loads all tokens.
    init(_ known: TokenSnapshot?, _ tables: AdministrationTables, _ implied: ImpliedScopes) {
        snapshot = known ?? TokenSnapshot()
        step = known == nil ? .everything : .news
        self.tables = tables
        self.implied = implied
    }

    /// The next queries; nil if the snapshot is up to date.
    var queries: [SQLStatement]? {
        switch step {
        // The head is the same moment's, so the next news follow it.
        case .everything: [tables.head, tables.validTokens, tables.revokedNumbers]
        case .news: [AdministrationNews.query(after: snapshot.head, in: tables)]
        case .tokens(let numbers, _): [tables.tokens(numbers)]
        case .done: nil
        }
    }

    /// Takes the results of the queries; nil if nothing was ever stored.
    mutating func take(_ results: [[SQLRow]]?) {
        let results = results ?? [[], [], []]
        switch step {
        case .everything:
            snapshot.replace(results[1], results[2], implied)
            snapshot.head = results[0].first.map(AdministrationHead.init) ?? AdministrationHead.none
            step = .done
        case .news:
            switch AdministrationNews(results[0], after: snapshot.head) {
            case .replaced: step = .everything
            case .rows(let rows): take(rows)
            }
        case .tokens(let numbers, let head):
            snapshot.update(numbers, results[0], implied)
            snapshot.head = head
            step = .news
        case .done: break
        }
    }

    private mutating func take(_ rows: [AdministrationRow]) {
        guard let last = rows.last else {
            step = .done
            return
        }
        let numbers = rows.filter {
            AdministrationChange(rawValue: $0.change)?.subject == .token
        }.compactMap { TokenText.number(id: $0.name) }
        if numbers.isEmpty {
            snapshot.head = AdministrationHead(last)
        } else {
            step = .tokens(Set(numbers), AdministrationHead(last))
        }
    }
}
