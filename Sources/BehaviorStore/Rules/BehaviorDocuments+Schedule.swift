import HTTPSyntax
import JSONCodec

/// A revision that goes live at a given time.
package struct Schedule: Sendable, Equatable {
    /// Its number, unique in the store.
    package var id: Int
    /// The document.
    package var key: DocumentKey
    /// The revision, the time and the author.
    package var plan: Plan

    /// The stored part of a schedule.
    package struct Plan: Codable, Sendable, Equatable {
        /// The revision's number: a draft, or a revision that was live before.
        package var revision: Int
        /// The time, in seconds since 1970.
        package var at: Int
        /// The author: an ``Author``'s number.
        package var by: String
        /// The author's name.
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

    /// The author's address in the rows of scheduled changes.
    static let address = "schedule"

    /// The message of a revision that rolls back to an earlier one.
    static func message(backTo number: Int) -> String { "Back to revision \(number)" }

    /// Returns the content of the row that ends the schedule.
    fileprivate func audited() throws -> JSON {
        var json = try JSON(encoding: plan)
        json["schedule"] = .number(JSON.Number(id))
        return json
    }
}

extension BehaviorDocuments {
    /// The most schedules of a document.
    package static let maximumScheduleCount = 100
    /// How far in the past a new schedule's time may be, in seconds; it then goes live at once.
    ///
    /// Clocks differ and requests take time, so that "now" may arrive late.
    package static let scheduleTolerance = 60

    /// Returns a document's schedules, the next one first.
    package func schedules(of key: DocumentKey) async throws -> [Schedule] {
        try await backend.records(.schedule, environment: key.environment, name: key.name)
            .compactMap(Schedule.init).sorted { ($0.plan.at, $0.id) < ($1.plan.at, $1.id) }
    }

    /// Schedules a revision: it goes live within a second of the time, once, on whichever server
    /// runs.
    ///
    /// A time more than a minute in the past (``scheduleTolerance``) is rejected. A revision
    /// without the required approvals doesn't go live; the audit and the log say so.
    /// - Throws: ``BehaviorStoreError``.
    package func schedule(
        _ number: Int,
        of key: DocumentKey,
        at time: Int,
        by author: Author
    ) async throws -> Schedule {
        try await change(by: author) { [self] ledger in
            guard try await backend.document(key) != nil else {
                throw BehaviorStoreError.noDocument(key)
            }
            _ = try await knownRevision(number, of: key)
            // A past time is most likely a mistake in the year or time zone.
            guard time >= ledger.now - Self.scheduleTolerance else {
                throw BehaviorStoreError.invalid([
                    JSONTypeError(
                        pointer: "/at",
                        message: "is in the past: it is now \(HTTPDate.timestamp(ledger.now))"
                    )
                ])
            }
            guard time <= StoredTextLimits.times.upperBound else {
                throw BehaviorStoreError.invalid([
                    JSONTypeError(pointer: "/at", message: "is after the year 9999")
                ])
            }
            guard try await schedules(of: key).count < Self.maximumScheduleCount else {
                throw BehaviorStoreError.conflict(
                    "a document has \(Self.maximumScheduleCount) schedules at most"
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

    /// Cancels a schedule; returns false if there is none of that number.
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

    /// Returns the time of the store's next schedule; nil if there is none.
    func nextTime(after time: Int = .min) async throws -> Int? {
        try await backend.records(.schedule, environment: nil, name: nil)
            .compactMap { Schedule($0)?.plan.at }.filter { $0 > time }.min()
    }

    /// Makes all due revisions live.
    ///
    /// - Throws: the first error of a schedule that stays due; it doesn't stop the others.
    func fire(at now: Int) async throws {
        let due = try await backend.records(.schedule, environment: nil, name: nil)
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
                // A revision that was live already gets no row, but the schedule still has to end.
                if ledger.change.audit.isEmpty { try Self.end(schedule, "was live", &ledger) }
                return nil
            } catch let error as BehaviorStoreError {
                // After a temporary error the schedule stays and is retried.
                if error.isPassing { throw error }
                try Self.end(schedule, error.reason, &ledger)
                return error.reason
            }
        }
        if let failure { logError("schedule \(schedule.id) of \(key) failed: \(failure)") }
    }

    /// Ends the schedules of a published draft: they would later replace a newer live revision.
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

    /// Publishes a draft, or rolls back to a previously live revision.
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
    /// The reason without the error's prefix.
    fileprivate var reason: String {
        switch self {
        case .conflict(let reason), .forbidden(let reason), .tooMuch(let reason): reason
        default: "\(self)"
        }
    }
}
