import CPostgreSQL
import Glibc

// The checks of an idle connection.

extension PostgreSQLConnection {
    static let clock: SQLStatement =
        "extract(epoch FROM clock_timestamp())::float8 AS clock"

    /// Returns whether the database responds in time, and reads its clock; otherwise closes the
    /// connection.
    func responds() async -> Bool {
        let deadline = ContinuousClock.now + configuration.silenceTimeout
        do {
            try await setClock("SELECT \(Self.clock)", until: deadline)
            return true
        } catch {
            close()
            return false
        }
    }

    func setClock(
        _ statement: SQLStatement,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgreSQLError) {
        let asked = opener.clock.localTime
        if let time: Double = try await run(statement, until: deadline).first?.get("clock") {
            opener.clock.set(time, asked: asked)
        }
    }

    /// Returns whether it can be reused: it is open, outside a transaction, and the server hasn't
    /// closed it while idle.
    func isUsable() -> Bool {
        guard !isBroken else { return false }
        guard isWithoutLoss(),
            functions.PQtransactionStatus(connection) == PQTRANS_IDLE
        else {
            close()
            return false
        }
        // Notifications received meanwhile have no reader.
        while let notice = functions.PQnotifies(connection) { functions.PQfreemem(notice) }
        return true
    }

    /// Reads received data; returns false if the connection has ended.
    private func isWithoutLoss() -> Bool {
        var socket = pollfd(
            fd: functions.PQsocket(connection),
            events: CShort(POLLIN),
            revents: 0
        )
        while poll(&socket, 1, 0) > 0 {
            guard functions.PQconsumeInput(connection) == 1 else { return false }
        }
        return functions.PQstatus(connection) == CONNECTION_OK
    }
}
