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
    let configuration: PostgreSQLConfiguration
    let opener: ConnectionOpener
    let connection: OpaquePointer
    /// Whether it is closed or its protocol state is unknown.
    private(set) var isBroken = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    var functions: CPostgreSQLFunctions { library.functions }

    /// Opens a connection to one of the address's hosts.
    static func connect(
        to address: PostgreSQLAddress,
        by attempt: PostgreSQLAddress.Attempt,
        _ configuration: PostgreSQLConfiguration,
        timeout: Duration,
        opener: ConnectionOpener
    ) async throws(PostgreSQLError) -> PostgreSQLConnection {
        let connection = try PostgreSQLConnection(
            address,
            attempt,
            configuration,
            library: .load(),
            opener: opener
        )
        do {
            try await connection.open(until: .now + timeout)
        } catch {
            await connection.close()
            throw error
        }
        return connection
    }

    private init(
        _ address: PostgreSQLAddress,
        _ attempt: PostgreSQLAddress.Attempt,
        _ configuration: PostgreSQLConfiguration,
        library: PostgreSQLLibrary,
        opener: ConnectionOpener
    ) throws(PostgreSQLError) {
        self.library = library
        self.opener = opener
        loop = opener.loop
        self.configuration = configuration
        // The address overrides options before it, but not those after it.
        let options =
            [
                ("fallback_application_name", "plugboard"),
                // The kernel ends a connection whose peer is gone after eight seconds.
                ("keepalives_idle", "5"), ("keepalives_interval", "1"), ("keepalives_count", "3"),
                ("tcp_user_timeout", "8000"),
                ("dbname", address.url),
                ("client_encoding", "UTF8"),
            ] + attempt.parameters
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

    private func open(until deadline: ContinuousClock.Instant) async throws(PostgreSQLError) {
        guard functions.PQstatus(connection) != CONNECTION_BAD else {
            throw PostgreSQLError(beginning: message)
        }
        // Only verbose messages contain the SQLSTATE.
        _ = functions.PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
        defer { _ = functions.PQsetErrorVerbosity(connection, PQERRORS_DEFAULT) }
        cpostgresql_ignore_notices([functions], connection)
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
        try await setClock(
            """
            SELECT set_config('statement_timeout', \(timeout), false),
                set_config('idle_in_transaction_session_timeout', \(idle), false), \(Self.clock)
            """,
            until: deadline
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
        let timeout = configuration.statementTimeout + configuration.networkTimeout
        return try await run(statement, until: .now + timeout)
    }

    func run(
        _ statement: SQLStatement,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgreSQLError) -> [SQLRow] {
        guard !isBroken else { throw PostgreSQLError(.unavailable, "the connection is closed") }
        let parameters = try SQLParameters(statement.parameters)
        try send(statement.text, parameters)
        while true {
            let left = functions.PQflush(connection)
            guard left >= 0 else { throw lost() }
            guard left > 0 else { break }
            // If the server itself is writing, its data must be read first (libpq's §34.4).
            try await progress([.read, .write], until: deadline)
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
        if functions.PQstatus(connection) == CONNECTION_BAD {
            close()
            refusal?.isLostConnection = true
        }
        // After a failover another host has the primary server.
        if refusal?.state == PostgreSQLError.readOnly { close() }
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
            try await progress(.read, until: deadline)
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

    // MARK: Waiting and failing

    private func ready(
        _ interest: DatabaseLoop.Interest,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgreSQLError) {
        let socket = functions.PQsocket(connection)
        let event = await loop.wait(for: interest, of: socket, until: deadline)
        guard event != .ready else { return }
        close()
        if event == .cancelled { throw PostgreSQLError(.cancelled, "cancelled") }
        throw Self.silence
    }

    /// Waits for bytes of a running statement.
    ///
    /// A slow statement and a dead connection are equally silent. So after a while the opener checks
    /// that the database is reachable.
    private func progress(
        _ interest: DatabaseLoop.Interest,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgreSQLError) {
        let socket = functions.PQsocket(connection)
        let silence = ContinuousClock.now + configuration.silenceTimeout
        var event = await loop.wait(for: interest, of: socket, until: min(silence, deadline))
        var isReachable = false
        if event == .timedOut, silence < deadline {
            isReachable = await opener.isReachable()
            // Bytes may have arrived during the check.
            event = await loop.wait(for: interest, of: socket, until: isReachable ? deadline : .now)
        }
        guard event != .ready else { return }
        if event == .cancelled || isReachable { cancelOnServer() }
        close()
        if event == .cancelled { throw PostgreSQLError(.cancelled, "cancelled") }
        throw Self.silence
    }

    private static let silence = PostgreSQLError(.unavailable, "the database doesn't respond")

    /// Asks the server to cancel the running statement.
    ///
    /// The request needs another connection, and libpq blocks for it, so it has its own thread.
    private func cancelOnServer() {
        guard let cancel = functions.PQgetCancel(connection) else { return }
        let request = CancelRequest(library: library, cancel: cancel)
        // Without a thread the request is skipped.
        try? Thread.start { request.send() }
    }

    func lost() -> PostgreSQLError {
        var failure = failure()
        failure.isLostConnection = true
        close()
        return failure
    }

    private func failure() -> PostgreSQLError {
        // libpq indents further lines by a tab.
        let lines = message.split(whereSeparator: \.isNewline).map {
            $0.trimmingPrefix(while: \.isWhitespace)
        }
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
