import JSONCodec

extension BehaviorDocuments {
    /// Returns a document's schedules, the next one first.
    package func schedules(of key: DocumentKey) async throws -> [Schedule] {
        try await backend.records(.schedule, environment: key.environment, name: key.name)
            .compactMap(Schedule.init).sorted { ($0.plan.at, $0.id) < ($1.plan.at, $1.id) }
    }

    /// Schedules a revision: it goes live within a second of the time, once, on whichever server
    /// runs.
    ///
    /// A time more than ``StoreLimits/scheduleTolerance`` in the past is rejected. A revision
    /// without the required approvals doesn't go live; the audit and the log say so.
    /// - Throws: ``BehaviorStoreError``.
    package func schedule(
        _ number: Int,
        of key: DocumentKey,
        at time: Int,
        by author: Author
    ) async throws -> Schedule {
        try await change(by: author) { [self] pending in
            guard try await backend.document(key) != nil else {
                throw BehaviorStoreError.noDocument(key)
            }
            _ = try await knownRevision(number, of: key)
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
