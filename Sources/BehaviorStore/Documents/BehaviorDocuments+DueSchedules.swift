import JSONCodec
import Logging

// Schedules go live when their time comes.

extension BehaviorDocuments {
    /// Runs due schedules, until the task is cancelled.
    func runSchedules() async {
        // Runs the schedules that became due while no server ran.
        do {
            try await timer.look()
        } catch {
            logger.error("behaviors: the schedules can't be read: \(error)")
        }
        var logged: String?
        while (try? await Task.sleep(for: .milliseconds(400))) != nil {
            guard let time = clock(), timer.isDue(at: time) else { continue }
            do {
                try await fire(at: time)
                try await timer.look()
                logged = nil
            } catch is CancellationError {
                return
            } catch {
                let text = "\(error)"
                if text != logged { logger.error("behaviors: due schedules can't run: \(text)") }
                logged = text
                await timer.postpone(at: time)
            }
        }
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
        let failure = try await change(by: author) { [self] pending -> String? in
            // Another server may have been faster.
            guard try await schedules(of: key).contains(schedule) else { return nil }
            pending.schedule = schedule.id
            switch try await standing.verdict(on: plan.by, plan.certificate, .write) {
            case .valid: break
            case .ended(let reason):
                let reason = "its author \(author.shown) may not publish any more: \(reason)"
                try Self.end(schedule, reason, &pending)
                return reason
            case .unknown(let reason):
                throw BehaviorStoreError.unavailable(
                    "schedule \(schedule.id) of \(key) waits for a server that knows its author "
                        + "\(author.shown): \(reason)"
                )
            }
            do {
                _ = try await goLive(plan.revision, of: key, &pending)
                // A revision that was live already gets no row, but the schedule still has to end.
                if pending.change.audit.isEmpty { try Self.end(schedule, "was live", &pending) }
                return nil
            } catch let error as BehaviorStoreError {
                // After a temporary error the schedule stays and is retried.
                if error.isPassing { throw error }
                try Self.end(schedule, error.reason, &pending)
                return error.reason
            }
        }
        if let failure {
            logger.error("behaviors: schedule \(schedule.id) of \(key) failed: \(failure)")
        }
    }

    /// Ends the schedules of a published or discarded draft: they would later replace a newer live
    /// revision.
    func endSchedules(
        of number: Int,
        _ key: DocumentKey,
        because reason: String,
        _ pending: inout PendingChange
    ) async throws {
        let ended = try await schedules(of: key).filter {
            $0.plan.revision == number && $0.id != pending.schedule
        }
        for schedule in ended {
            try Self.end(schedule, reason, &pending)
        }
    }

    private static func end(
        _ schedule: Schedule,
        _ reason: String,
        _ pending: inout PendingChange
    ) throws {
        try pending.note(
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
        _ pending: inout PendingChange
    ) async throws -> Publication {
        if try await draft(number, of: key) != nil {
            return try await publish(number, of: key, expecting: .any, in: &pending)
        }
        return try await rollback(
            to: number,
            of: key,
            message: Schedule.message(backTo: number),
            expecting: .any,
            in: &pending
        )
    }
}

extension BehaviorStoreError {
    /// The reason without the error's prefix.
    fileprivate var reason: String {
        switch self {
        case .conflict(let reason), .forbidden(let reason), .tooMuch(let reason),
            .quota(let reason):
            reason
        default: "\(self)"
        }
    }
}
