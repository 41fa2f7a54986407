import System
import CPostgreSQL
import Glibc

/// A connection to a database, used by one task at a time.
///
/// All calls of libpq run on the ``DatabaseLoop``'s thread, and none of them blocks: the loop waits
/// for the socket instead.
actor PostgreSQLConnection {
    nonisolated let loop: DatabaseLoop
    private let library: PostgreSQLLibrary
    private let configuration: PostgreSQLConfiguration
    private let connection: OpaquePointer
    /// Whether it is closed or its protocol state is unknown.
    private(set) var isBroken = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private var functions: CPostgreSQLFunctions { library.functions }

    /// Opens a connection.
    static func connect(
        to address: PostgreSQLAddress,
        _ configuration: PostgreSQLConfiguration
    ) async throws(PostgreSQLError) -> PostgreSQLConnection {
        let connection = try PostgreSQLConnection(
            address,
            configuration,
            library: .load(),
            loop: .shared()
        )
        do {
            try await connection.open()
        } catch {
            await connection.close()
            throw error
        }
        return connection
    }

    private init(
        _ address: PostgreSQLAddress,
        _ configuration: PostgreSQLConfiguration,
        library: PostgreSQLLibrary,
        loop: DatabaseLoop
    ) throws(PostgreSQLError) {
        self.library = library
        self.loop = loop
        self.configuration = configuration
        // The address overrides options before it, but not those after it.
        let options: [(String, String)] = [
            ("fallback_application_name", "plugboard"),
            ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "15000"),
            ("dbname", address.url),
            ("client_encoding", "UTF8"),
        ]
        let texts = options.map { (strdup($0.0), strdup($0.1)) }
        defer {
            for text in texts {
                free(text.0)
                free(text.1)
            }
        }
        let names = texts.map { UnsafePointer($0.0) } + [nil]
        let values = texts.map { UnsafePointer($0.1) } + [nil]
        guard let connection = library.functions.PQconnectStartParams(names, values, 1) else {
            throw PostgreSQLError(.unavailable, "out of memory for a connection")
        }
        self.connection = connection
    }

    isolated deinit { library.functions.PQfinish(connection) }

    private func open() async throws(PostgreSQLError) {
        guard functions.PQstatus(connection) != CONNECTION_BAD else {
            throw PostgreSQLError(beginning: message)
        }
        // Only verbose messages contain the SQLSTATE.
        _ = functions.PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
        defer { _ = functions.PQsetErrorVerbosity(connection, PQERRORS_DEFAULT) }
        cpostgresql_ignore_notices([functions], connection)
        let deadline = ContinuousClock.now + configuration.connectTimeout
        // The first wait is for writing (libpq's §34.1).
        var state = PGRES_POLLING_WRITING
        while state != PGRES_POLLING_OK {
            guard state != PGRES_POLLING_FAILED else { throw connectFailure() }
            try await ready(state == PGRES_POLLING_READING ? .read : .write, until: deadline)
            state = functions.PQconnectPoll(connection)
        }
        guard functions.PQsetnonblocking(connection, 1) == 0 else { throw failure() }
        let timeout = "\(configuration.statementTimeout.milliseconds)"
        // A transaction whose client disappeared must not hold its locks forever.
        let idle = "\((configuration.statementTimeout + configuration.networkTimeout).milliseconds)"
        _ = try await run(
            """
            SELECT set_config('statement_timeout', \(timeout), false),
                set_config('idle_in_transaction_session_timeout', \(idle), false)
            """
        )
    }

    /// Closes the connection; the server aborts a running statement.
    func close() {
        guard !isBroken else { return }
        isBroken = true
        // `deinit` ends an idle connection properly; a busy one is shut down now.
        if functions.PQtransactionStatus(connection) != PQTRANS_IDLE {
            shutdown(functions.PQsocket(connection), CInt(SHUT_RDWR))
        }
    }

    // MARK: Statements

    /// Runs a statement and returns its rows.
    func run(_ statement: SQLStatement) async throws(PostgreSQLError) -> [SQLRow] {
        guard !isBroken else { throw PostgreSQLError(.unavailable, "the connection is closed") }
        let parameters = try SQLParameters(statement.parameters)
        try send(statement.text, parameters)
        let deadline =
            ContinuousClock.now + configuration.statementTimeout + configuration.networkTimeout
        while true {
            let left = functions.PQflush(connection)
            guard left >= 0 else { throw lost() }
            guard left > 0 else { break }
            // If the server itself is writing, its data must be read first (libpq's §34.4).
            try await ready([.read, .write], until: deadline, cancels: true)
            guard functions.PQconsumeInput(connection) == 1 else { throw lost() }
        }
        var rows: [SQLRow] = []
        var refusal: PostgreSQLError?
        while let result = try await result(until: deadline) {
            defer { functions.PQclear(result) }
            do throws(PostgreSQLError) {
                rows = try answer(result)
            } catch {
                refusal = refusal ?? error
            }
        }
        if functions.PQstatus(connection) == CONNECTION_BAD { close() }
        if let refusal { throw refusal }
        return rows
    }

    private func send(_ text: String, _ parameters: SQLParameters) throws(PostgreSQLError) {
        let isSent = parameters.withPointers { values in
            functions.PQsendQueryParams(
                connection,
                text,
                CInt(values.count),
                parameters.types,
                values,
                parameters.lengths,
                parameters.formats,
                1
            )
        }
        guard isSent == 1 else { throw lost() }
    }

    private func result(
        until deadline: ContinuousClock.Instant
    ) async throws(PostgreSQLError) -> OpaquePointer? {
        while functions.PQisBusy(connection) == 1 {
            try await ready(.read, until: deadline, cancels: true)
            guard functions.PQconsumeInput(connection) == 1 else { throw lost() }
        }
        return functions.PQgetResult(connection)
    }

    private func answer(_ result: OpaquePointer) throws(PostgreSQLError) -> [SQLRow] {
        switch functions.PQresultStatus(result) {
        case PGRES_TUPLES_OK: return try library.rows(result)
        case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: return []
        default:
            guard let state = functions.PQresultErrorField(result, CPOSTGRESQL_SQLSTATE) else {
                throw lost()
            }
            let message = functions.PQresultErrorField(result, CPOSTGRESQL_MESSAGE)
            throw PostgreSQLError(
                state: String(cString: state),
                message: message.map { String(cString: $0) } ?? "the statement was rejected"
            )
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

    // MARK: Notifications

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

    // MARK: Waiting and failing

    private func ready(
        _ interest: DatabaseLoop.Interest,
        until deadline: ContinuousClock.Instant,
        cancels: Bool = false
    ) async throws(PostgreSQLError) {
        let socket = functions.PQsocket(connection)
        let event = await loop.wait(for: interest, of: socket, until: deadline)
        guard event != .ready else { return }
        if cancels { cancelOnServer() }
        close()
        if event == .cancelled { throw PostgreSQLError(.cancelled, "cancelled") }
        throw PostgreSQLError(.unavailable, "the database doesn't respond")
    }

    /// Asks the server to cancel the running statement.
    ///
    /// The request needs another connection, and libpq blocks for it, so it has its own thread.
    private func cancelOnServer() {
        guard let cancel = functions.PQgetCancel(connection) else { return }
        let request = CancelRequest(library: library, cancel: cancel)
        // Without a thread the request is skipped.
        try? Thread.start { request.send() }
    }

    private func lost() -> PostgreSQLError {
        let failure = failure()
        close()
        return failure
    }

    private func failure() -> PostgreSQLError {
        let lines = message.split(whereSeparator: \.isNewline)
        return PostgreSQLError(
            .unavailable,
            lines.isEmpty ? "the connection is lost" : lines.joined(separator: "; ")
        )
    }

    private func connectFailure() -> PostgreSQLError { PostgreSQLError(connecting: message) }

    /// libpq's last message, which may contain host and user, never the password.
    private var message: String {
        functions.PQerrorMessage(connection).map { String(cString: $0) } ?? ""
    }
}

/// A cancel request, which blocks its thread.
///
/// `@unchecked Sendable` is safe: it moves from one thread to another, which alone uses it.
private final class CancelRequest: @unchecked Sendable {
    private let library: PostgreSQLLibrary
    private let cancel: OpaquePointer

    init(library: PostgreSQLLibrary, cancel: OpaquePointer) {
        self.library = library
        self.cancel = cancel
    }

    deinit { library.functions.PQfreeCancel(cancel) }

    func send() {
        var reason = [CChar](repeating: 0, count: 256)
        _ = library.functions.PQcancel(cancel, &reason, CInt(reason.count))
    }
}
