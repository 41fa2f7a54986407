import Digests
import System

/// The author of an administrative change and their address.
package struct AdministrationAuthor: Sendable, Equatable {
    /// The stable identifier: a token's number, `command` or `guard`.
    package let id: String
    /// The display name; may be empty.
    package let name: String
    /// The client's address; empty if the change wasn't made by a request.
    package let address: String

    /// Makes an author; control characters in an issuer's names are escaped.
    package init(id: String, name: String = "", address: String = "") {
        self.id = TerminalText.line(id)
        self.name = TerminalText.line(name)
        self.address = TerminalText.line(address)
    }

    /// The server itself.
    package static let server = AdministrationAuthor(id: "server")
}

/// The kinds of changes in the administration's audit.
package enum AdministrationChange: String, Sendable {
    case createToken = "create token"
    case rotateToken = "rotate token"
    case revokeToken = "revoke token"
    case setPlug = "set plug"
    case resetPlug = "reset plug"
    /// An archive of documents is imported; the row precedes the import into another database.
    case importDocuments = "import documents"
    /// Credentials were rejected; a row counts those of a minute.
    case rejectCredentials = "reject credentials"
    /// An administrator ended a browser's session.
    case endSession = "end session"

    /// The kinds of things whose states the rows have.
    package enum Subject: String, Sendable { case token, plug }

    /// The kind of the thing that changes; nil if nothing does.
    package var subject: Subject? {
        switch self {
        case .createToken, .rotateToken, .revokeToken: .token
        case .setPlug, .resetPlug: .plug
        case .importDocuments, .rejectCredentials, .endSession: nil
        }
    }
}

/// One administrative change, whose hash covers the row and the previous row's hash.
package struct AdministrationRow: Sendable, Equatable {
    /// The place in the audit: consecutive numbers from 1.
    package var sequence: Int
    /// The time, in seconds since 1970.
    package var at: Int
    /// The author's identifier.
    package var author: String
    /// The author's name; may be empty.
    package var authorName: String
    /// The client's address; empty if the change wasn't made by a request.
    package var address: String
    /// The kind of change, an ``AdministrationChange``; an edited row may have another one.
    package var change: String
    /// The token's number or the action's name; may be empty.
    package var name: String
    /// The state before, as JSON; nil if there was none.
    package var before: String?
    /// The state after, as JSON; nil if there is none.
    package var after: String?
    /// The reason; may be empty.
    package var reason: String
    /// The previous row's hash; zeros in the first row.
    package var previous: String
    /// The hash of this row.
    package var hash: String

    /// The correct hash of the row.
    package var computedHash: String {
        ChainHash.of([
            previous, String(sequence), String(at), author, authorName, address, change, name,
            before, after, reason,
        ])
    }
}
