import CPostgreSQL

extension PostgreSQLConnection {
    /// Returns the next notification, or nil at the deadline.
    func notification(
        until deadline: ContinuousClock.Instant
    ) async throws(PostgreSQLError) -> (channel: String, payload: String)? {
        while true {
            if let notice = functions.PQnotifies(connection) {
                defer { functions.PQfreemem(notice) }
                return (
                    String(cString: notice.pointee.relname), String(cString: notice.pointee.extra)
                )
            }
            guard !isBroken else { throw PostgreSQLError(.unavailable, "the connection is closed") }
            let socket = functions.PQsocket(connection)
            switch await loop.wait(for: .read, of: socket, until: deadline) {
            case .ready, .woken:
                guard functions.PQconsumeInput(connection) == 1 else { throw lost() }
            case .timedOut: return nil
            case .cancelled: throw PostgreSQLError(.cancelled, "cancelled")
            }
        }
    }
}
