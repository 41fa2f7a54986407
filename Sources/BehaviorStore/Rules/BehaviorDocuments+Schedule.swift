import HTTPSyntax
import JSONCodec

/// A revision that is to go live at a time to come.
package struct Schedule: Sendable, Equatable {
    /// Its number, of the whole store.
    package var id: Int
    /// Which document.
    package var key: DocumentKey
    /// What is to be done.
    package var plan: Plan

    /// What is kept of it.
    package struct Plan: Codable, Sendable, Equatable {
        /// The revision's number: a draft, or what was live before.
        package var revision: Int
        /// When, in seconds since 1970.
        package var at: Int
        /// Who wants it: an ``Author``'s number.
        package var by: String
        /// Their name.
        package var name: String
    }

    init?(_ record: StoredRecord) {
        guard let key = DocumentKey(record.key.name, in: record.key.environment),
            let id = Int(record.key.item),
            let plan = try? JSON.decode(Plan.self, from: record.value.utf8)
        else { return nil }
        self.init(id: id, key: key, plan: plan)
    }

    init(id: Int, key: DocumentKey, plan: Plan) {
        self.id = id
        self.key = key
        self.plan = plan
    }

    /// Where a change comes from that is made when its time has come.
    static let address = "schedule"

    /// The message of the revision by which an earlier one is live again.
    static func message(backTo number: Int) -> String { "Back to revision \(number)" }

    /// What the row says by which it is over.
    fileprivate func audited() throws -> JSON {
        var json = try JSON(encoding: plan)
        json["schedule"] = .number(JSON.Number(id))
        return json
    }
}

extension BehaviorDocuments {
    /// The most schedules of a document.
    package static let greatestScheduleCount = 100
    /// How long ago a schedule may lie when it is made, in seconds: what is meant to be now, by a clock
    /// that is late or by who took a moment to send it, goes live at once.
    package static let scheduleTolerance = 60

    /// What is still to go live of a document, the next one first.
    package func schedules(of key: DocumentKey) async throws -> [Schedule] {
        try await keeping.records(.schedule, environment: key.environment, name: key.name)
            .compactMap(Schedule.init).sorted { ($0.plan.at, $0.id) < ($1.plan.at, $1.id) }
    }

    /// Has a revision go live at a time: within a second, once, by whichever server is there.
    ///
    /// A time in the past is refused, but for a minute (``scheduleTolerance``). What doesn't go live
    /// when it is due, because its environment asks for approvals that it hasn't, is told in the audit
    /// and the log.
    /// - Throws: ``BehaviorStoreError``.
    package func schedule(
        _ number: Int,
        of key: DocumentKey,
        at time: Int,
        by author: Author
    ) async throws -> Schedule {
        try await change(by: author) { [self] ledger in
            guard try await keeping.document(key) != nil else {
                throw BehaviorStoreError.noDocument(key)
            }
            _ = try await knownRevision(number, of: key)
            // Taken for a slip: a year, a zone. Who means now publishes, or says now.
            guard time >= ledger.now - Self.scheduleTolerance else {
                throw BehaviorStoreError.invalid([
                    JSONTypeError(
                        pointer: "/at",
                        message: "lies in the past: it is \(HTTPDate.timestamp(ledger.now))"
                    )
                ])
            }
            guard time <= KeptText.times.upperBound else {
                throw BehaviorStoreError.invalid([
                    JSONTypeError(pointer: "/at", message: "lies beyond the year 9999")
                ])
            }
            guard try await schedules(of: key).count < Self.greatestScheduleCount else {
                throw BehaviorStoreError.conflict(
                    "a document has \(Self.greatestScheduleCount) schedules at most"
                )
            }
            let plan = Schedule.Plan(revision: number, at: time, by: author.id, name: author.name)
            let schedule = Schedule(id: ledger.head.sequence + 1, key: key, plan: plan)
            let json = try JSON(encoding: plan)
            try ledger.note(
                .schedule,
                environment: key.environment,
                name: key.name,
                from: nil,
                to: json
            )
            return schedule
        }
    }

    /// Takes a schedule back; false where there is none of that number.
    package func cancel(_ id: Int, of key: DocumentKey, by author: Author) async throws -> Bool {
        try await change(by: author) { [self] ledger in
            guard let known = try await schedules(of: key).first(where: { $0.id == id }) else {
                return false
            }
            try ledger.note(
                .cancel,
                environment: key.environment,
                name: key.name,
                from: try known.audited(),
                to: nil
            )
            return true
        }
    }

    // MARK: When it is time

    /// When the next one of the store is due; nil where there is none.
    func nextTime(after time: Int = .min) async throws -> Int? {
        try await keeping.records(.schedule, environment: nil, name: nil)
            .compactMap { Schedule($0)?.plan.at }.filter { $0 > time }.min()
    }

    /// Has all that is due go live.
    ///
    /// - Throws: what kept the first of those from it that still are due; the others don't wait for it.
    func fire(at now: Int) async throws {
        let due = try await keeping.records(.schedule, environment: nil, name: nil)
            .compactMap(Schedule.init).filter { $0.plan.at <= now }
            .sorted { ($0.plan.at, $0.id) < ($1.plan.at, $1.id) }
        var failure: (any Error)?
        for schedule in due {
            do { try await fire(schedule) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    private func fire(_ schedule: Schedule) async throws {
        let key = schedule.key
        let plan = schedule.plan
        let author = Author(id: plan.by, name: plan.name, address: Schedule.address)
        let failure = try await change(by: author) { [self] ledger -> String? in
            // Another server may have been faster.
            guard try await schedules(of: key).contains(schedule) else { return nil }
            ledger.schedule = schedule.id
            do {
                _ = try await goLive(plan.revision, of: key, &ledger)
                // What was live already needs no row of its own, but the schedule is over.
                if ledger.change.audit.isEmpty { try Self.end(schedule, "was live", &ledger) }
                return nil
            } catch let error as BehaviorStoreError {
                // What passes is no end of it: it is tried again.
                if error.isPassing { throw error }
                try Self.end(schedule, error.reason, &ledger)
                return error.reason
            }
        }
        if let failure { tell("schedule \(schedule.id) of \(key) came to nothing: \(failure)") }
    }

    /// Ends what was scheduled of a draft that has gone live by now: later it would bring back what was live then.
    func endSchedules(of number: Int, _ key: DocumentKey, _ ledger: inout Ledger) async throws {
        let ended = try await schedules(of: key).filter {
            $0.plan.revision == number && $0.id != ledger.schedule
        }
        for schedule in ended {
            try Self.end(schedule, "went live before", &ledger)
        }
    }

    private static func end(
        _ schedule: Schedule,
        _ reason: String,
        _ ledger: inout Ledger
    ) throws {
        try ledger.note(
            .scheduleEnded,
            environment: schedule.key.environment,
            name: schedule.key.name,
            from: try schedule.audited(),
            to: ["reason": .string(reason)]
        )
    }

    /// Publishes a draft, or rolls back to what was live before.
    private func goLive(
        _ number: Int,
        of key: DocumentKey,
        _ ledger: inout Ledger
    ) async throws -> Publication {
        if try await draft(number, of: key) != nil {
            return try await publish(number, of: key, expecting: .any, in: &ledger)
        }
        return try await rollback(
            to: number,
            of: key,
            message: Schedule.message(backTo: number),
            expecting: .any,
            in: &ledger
        )
    }
}

extension BehaviorStoreError {
    /// Why, in a few words.
    fileprivate var reason: String {
        switch self {
        case .conflict(let reason), .forbidden(let reason), .tooMuch(let reason): reason
        default: "\(self)"
        }
    }
}
