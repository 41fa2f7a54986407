import JSONCodec

extension BehaviorDocuments {
    /// Returns a document's schedules, the next one first.
    package func schedules(of key: DocumentKey) async throws -> [Schedule] {
        try await schedules(in: key.environment, named: key.name)[key] ?? []
    }

    /// Returns the schedules by their documents, the next one of each first; nil means all.
    func schedules(
        in environment: String?,
        named name: String?
    ) async throws -> [DocumentKey: [Schedule]] {
        let schedules = try await backend.records(.schedule, environment: environment, name: name)
            .compactMap(Schedule.init).sorted { ($0.plan.at, $0.id) < ($1.plan.at, $1.id) }
        return Dictionary(grouping: schedules, by: \.key)
    }

    /// Schedules a revision: it goes live within a second of the time, once, on whichever server
    /// runs.
    ///
    /// A time more than ``StoreLimits/scheduleTolerance`` in the past is rejected, and so is a draft
    /// that can't go live any more. A draft without the required approvals then
    /// (``condition(of:)``) doesn't go live; the audit and the log say so.
    /// - Throws: ``BehaviorStoreError``.
    package func schedule(
        _ number: Int,
        of key: DocumentKey,
        at time: Int,
        by author: Author
    ) async throws -> Schedule {
        try await change(by: author) { [self] pending in
            guard let state = try await backend.document(key) else {
                throw try await missing(key)
            }
            let info = try await knownRevision(number, of: key).info
            if let draft = try await draft(number, of: key) {
                try await checkCanGoLive(draft, info, state)
            }
            // A past time is most likely a mistake in the year or time zone.
            guard time >= pending.now - StoreLimits.scheduleTolerance else {
                let now = Timestamp.text(Double(pending.now)) ?? "\(pending.now)"
                throw BehaviorStoreError.invalid([
                    JSONTypeError(
                        pointer: "/at",
                        message: "is in the past: it is now \(now)"
                    )
                ])
            }
            guard time <= StoredTextLimits.times.upperBound else {
                throw BehaviorStoreError.invalid([
                    JSONTypeError(pointer: "/at", message: "is after the year 9999")
                ])
            }
            guard try await schedules(of: key).count < StoreLimits.maximumScheduleCount else {
                throw BehaviorStoreError.conflict(
                    "a document has \(StoreLimits.maximumScheduleCount) schedules at most"
                )
            }
            let plan = Schedule.Plan(
                revision: number,
                at: time,
                by: author.id,
                name: author.name,
                certificate: author.certificate
            )
            let schedule = Schedule(id: pending.head.sequence + 1, key: key, plan: plan)
            let json = try JSON(encoding: plan)
            try pending.note(
                .schedule,
                environment: key.environment,
                name: key.name,
                from: nil,
                to: json
            )
            return schedule
        }
    }

    /// Returns the condition on which a schedule has an effect, in words; nil if nothing is missing
    /// now.
    ///
    /// A live revision may be scheduled: another one may go live before.
    package func condition(of schedule: Schedule) async throws -> String? {
        let (number, key) = (schedule.plan.revision, schedule.key)
        if try await backend.document(key)?.live == number {
            return "revision \(number) is live now: it has an effect only if another one goes live "
                + "before"
        }
        guard let draft = try await draft(number, of: key) else { return nil }
        do {
            guard let info = try await info(number, of: key),
                let state = try await backend.document(key)
            else { return nil }
            try await checkCanGoLive(draft, info, state)
        } catch BehaviorStoreError.conflict(let reason) {
            return "it can't go live: \(reason)"
        }
        let approvals = try await approvals(of: draft, in: key.environment)
        guard !approvals.isEnough else { return nil }
        let missing = approvals.needed - approvals.given
        return "\(approvals.sentence(on: number, in: key.environment)): it goes live only with "
            + "\(missing) more by then"
    }

    /// Cancels a schedule; returns false if there is none of that number.
    package func cancel(_ id: Int, of key: DocumentKey, by author: Author) async throws -> Bool {
        try await change(by: author) { [self] pending in
            guard let known = try await schedules(of: key).first(where: { $0.id == id }) else {
                return false
            }
            try pending.note(
                .cancel,
                environment: key.environment,
                name: key.name,
                from: try known.audited(),
                to: nil
            )
            return true
        }
    }
}
