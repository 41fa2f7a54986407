import JSONCodec

/// The ends of schedules in rows that don't say of which: the first version wrote no number there.
///
/// What such a row does say is the plan, or what went live and by whom. Of several schedules that it may
/// be of, it is of one: the others have to be kept, or to have a row of their own.
struct UnnumberedEnds {
    /// How often a schedule is looked at, over all ends.
    ///
    /// The first version's stores have a few dozen for each end. Somebody's archive of hundreds of thousands
    /// of both would keep a server busy for hours: of that the rest is taken for schedules that are missing.
    private static let greatestLooks = 1_000_000

    /// Taken back, or come to nothing, by the plan; those first, since a plan says most.
    private var planned: [End] = []
    /// Gone live.
    private var fired: [End] = []

    private struct End {
        let row: AuditRow
        /// Whether it can be the end of a schedule with that plan, in this text.
        let isOf: @Sendable (Schedule.Plan, String) -> Bool
    }

    /// Notes a row by which a schedule is over that came to nothing.
    mutating func end(_ row: AuditRow) {
        guard let before = row.before else { return }
        planned.append(End(row: row) { $1 == before })
    }

    /// Notes a row that tells of a revision, where a schedule's time has made it.
    mutating func fire(_ row: AuditRow, _ said: AuditedRevision) {
        guard row.author.address == Schedule.address else { return }
        let isRollback = row.kind == .rollback
        fired.append(
            End(row: row) { plan, _ in
                let isIt =
                    isRollback
                    ? said.message == Schedule.message(backTo: plan.revision)
                    : said.revision == plan.revision
                return isIt && plan.by == row.author.id && plan.name == row.author.name
                    && plan.at <= row.at
            }
        )
    }

    /// Takes the schedules that are over out of what the rows say, those first that aren't kept.
    func settle(_ records: inout [RecordKey: String], besides kept: [StoredRecord]) {
        guard !planned.isEmpty || !fired.isEmpty else { return }
        let kept = Set(kept.map(\.key))
        var open: [String: [Candidate]] = [:]
        for (key, text) in records where key.kind == .schedule {
            guard let schedule = Schedule(StoredRecord(key, text)) else { continue }
            let candidate = Candidate(
                key: key,
                schedule: schedule,
                text: text,
                isKept: kept.contains(key)
            )
            open[Self.document(key.name, key.environment), default: []].append(candidate)
        }
        // The first of them last: it is taken out at no cost.
        for document in open.keys { open[document]?.sort(by: >) }
        var looks = 0
        for end in planned + fired {
            let document = Self.document(end.row.name, end.row.environment)
            let place = open[document]?.lastIndex { candidate in
                looks += 1
                // A schedule's number is that of the row which tells of it.
                return looks > Self.greatestLooks
                    || candidate.schedule.id < end.row.sequence
                        && end.isOf(candidate.schedule.plan, candidate.text)
            }
            guard looks <= Self.greatestLooks else { return }
            guard let place, let over = open[document]?.remove(at: place) else { continue }
            records[over.key] = nil
        }
    }

    private static func document(_ name: String, _ environment: String) -> String {
        "\(name) in \(environment)"
    }

    /// A schedule that may be over.
    private struct Candidate: Comparable {
        let key: RecordKey
        let schedule: Schedule
        let text: String
        let isKept: Bool

        /// Those first that aren't kept, then by their times.
        static func < (one: Candidate, other: Candidate) -> Bool {
            guard one.isKept == other.isKept else { return other.isKept }
            return (one.schedule.plan.at, one.schedule.id)
                < (other.schedule.plan.at, other.schedule.id)
        }
    }
}
