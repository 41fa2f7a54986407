import GRDB
import Storage

extension TokenStore {
    /// The time between two writes of last uses, in seconds.
    static let useInterval = 60

    /// Writes the last uses until the task is cancelled, and once more then.
    package func recordUses(failed: (any Error) -> Void) async {
        var isNews = true
        repeat {
            try? await Task.sleep(for: .seconds(Self.useInterval))
            do {
                // Detached: the last write must not be cancelled.
                try await Task.detached { try await self.recordUses() }.value
                isNews = true
            } catch {
                if isNews { failed(error) }
                isNews = false
            }
        } while !Task.isCancelled
    }

    /// Writes the last uses that the database doesn't have to the minute.
    package func recordUses() async throws {
        let uses = unrecordedUses(after: Self.useInterval)
        guard !uses.isEmpty, try storage.isThere() else { return }
        try await storage.write(.tokens) { database in
            for (number, time) in uses {
                try database.execute(
                    sql: """
                        UPDATE token SET used = ?
                        WHERE number = ? AND revoked IS NULL AND coalesce(used, 0) < ?
                        """,
                    arguments: [time, Int64(number), time]
                )
            }
        }
        noteRecorded(uses)
    }
}
