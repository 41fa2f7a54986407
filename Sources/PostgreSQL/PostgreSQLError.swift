/// An error of a database, without its password and without statements' values.
public struct PostgreSQLError: Error, CustomStringConvertible {
    /// The kinds of errors, by a caller's possible reaction.
    public enum Kind: Sendable, Equatable {
        /// libpq isn't installed.
        case missingLibrary
        /// The address is invalid.
        case wrongAddress
        /// The database is unavailable now; a later attempt may succeed.
        case unavailable
        /// The database rejects the connection, or the client rejects the database: a password, a
        /// database's name or a certificate is wrong.
        case denied
        /// The task was cancelled.
        case cancelled
        /// The server exceeded a time limit.
        case timedOut
        /// A conflict with another transaction; the whole transaction can be retried.
        case conflict
        /// The server rejected the statement.
        case refused
        /// A programming error: a missing column, a wrong type, or an invalid parameter.
        case misuse
    }

    /// The kind, by a caller's possible reaction.
    public let kind: Kind
    /// The server's SQLSTATE (PostgreSQL's Appendix A); nil for an error of the library or the
    /// network.
    public let state: String?
    /// The message of the server or the library.
    public let message: String
    /// Whether tables are missing or old, or the user lacks permissions; the message has the remedy.
    public internal(set) var isUnprepared = false
    /// Whether all of the client's connections were in use for the whole wait.
    public internal(set) var isPoolFull = false
    /// Whether an open connection ended, so that another one may work at once.
    var isLostConnection = false

    /// SQLSTATE of a change that a standby or a read-only database rejects.
    static let readOnly = "25006"

    init(_ kind: Kind, _ message: String, state: String? = nil) {
        self.kind = kind
        self.message = message
        self.state = state
    }

    /// Creates an error from the server's SQLSTATE and message.
    init(state: String, message: String) {
        let kind: Kind =
            switch state {
            case "40001", "40P01": .conflict
            case "57014": .timedOut
            // Shutdown, start-up, too many connections, or a standby after a failover.
            case "57P01", "57P02", "57P03", "57P05", "53300", Self.readOnly: .unavailable
            case _ where state.hasPrefix("08"): .unavailable
            default: .refused
            }
        self.init(kind, message, state: state)
    }

    /// The message with the SQLSTATE.
    public var description: String {
        state.map { "\(message) (SQLSTATE \($0))" } ?? message
    }
}
