public import PlugHTTP
public import PostgreSQL

extension PostgreSQLError: ProblemConvertible {
    /// The client's error, which leaves out the database's address: 503 if a retry may succeed.
    public var problem: Problem {
        switch kind {
        case .unavailable, .denied, .timedOut, .conflict, .cancelled:
            .serviceUnavailable("the database is unavailable: see the server's log")
        case .missingLibrary, .wrongAddress, .refused, .misuse: .internalServerError()
        }
    }
}
