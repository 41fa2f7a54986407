import AdministrationStore
import Locking
import System

extension TokenStore {
    /// The time between two writes of last uses, in seconds.
    static let useInterval = 60

    /// The time for the last write after a cancellation: a database may not respond.
    private static let stopTimeout = Duration.seconds(2)

    /// Writes the last uses until the task is cancelled, and once more then.
    package func recordUses(failed: (any Error) -> Void) async {
        var isNews = true
        repeat {
            try? await Task.sleep(for: .seconds(Self.useInterval))
            // Detached: the last write must not be cancelled.
            let written = await Task<Void, any Error>.detached { try await self.recordUses() }
                .result(afterCancellation: Self.stopTimeout)
            switch written {
            case .success: isNews = true
            case .failure(let error):
                if isNews { failed(error) }
                isNews = false
            case nil: failed(AdministrationError.unavailable("it didn't respond before the stop"))
            }
        } while !Task.isCancelled
    }

    /// Writes the last uses that the database doesn't have to the minute.
    package func recordUses() async throws {
        let uses = state.withLock { state in
            (state.snapshot?.entries ?? [:]).values.compactMap { entry in
                entry.lastUse.unrecorded(after: Self.useInterval, stored: entry.record.used)
                    .map { (number: entry.record.number, lastUse: entry.lastUse, time: $0) }
            }
        }
        guard !uses.isEmpty else { return }
        let statements = uses.sorted { $0.number < $1.number }.map {
            backend.tables.noteUse(of: $0.number, at: $0.time)
        }
        // The audit has no uses.
        _ = try await backend.commit(statements, after: nil)
        for use in uses { use.lastUse.noteRecorded(use.time) }
    }

    func lastUse(of number: UInt64) -> Int? {
        state.withLock { $0.snapshot?.entries[number]?.lastUse.time }
    }
}
