/// What went wrong with a database, without its password and without a statement's values.
package struct PostgreSQLError: Error, CustomStringConvertible {
    /// What a caller may do about it.
    package enum Kind: Sendable, Equatable {
        /// libpq isn't installed.
        case missingLibrary
        /// The address can't be understood.
        case wrongAddress
        /// There is no database now; there may be one later.
        case unavailable
        /// Nobody waits for it any more: the task was cancelled.
        case cancelled
        /// The server took too long.
        case timedOut
        /// Another transaction was faster: the whole transaction may be tried again.
        case conflict
        /// The server refuses the statement.
        case refused
        /// The program asks for what a row doesn't have, or passes what can't be passed.
        case misuse
    }

    package let kind: Kind
    /// The server's code (PostgreSQL's Appendix A), where it is the server that refuses.
    package let state: String?
    /// The reason, in the server's or the library's words.
    package let message: String

    init(_ kind: Kind, _ message: String, state: String? = nil) {
        self.kind = kind
        self.message = message
        self.state = state
    }

    /// What the server said, by its code.
    init(state: String, message: String) {
        let kind: Kind =
            switch state {
            case "40001", "40P01": .conflict
            case "57014": .timedOut
            // Shut down, starting, of too many connections, or a standby since a fail-over.
            case "57P01", "57P02", "57P03", "57P05", "53300", "25006": .unavailable
            case _ where state.hasPrefix("08"): .unavailable
            default: .refused
            }
        self.init(kind, message, state: state)
    }

    /// The reason for people, with the server's code.
    package var description: String {
        state.map { "\(message) (SQLSTATE \($0))" } ?? message
    }
}
