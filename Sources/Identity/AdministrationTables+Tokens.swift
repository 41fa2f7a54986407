package import AdministrationStore
import PlugHTTP
package import PostgreSQL

extension AdministrationTables {
    /// Selects the tokens that aren't revoked, in the order of their creation.
    var validTokens: SQLStatement {
        "SELECT * FROM \(token) WHERE revoked IS NULL ORDER BY position"
    }

    /// Selects the numbers of revoked tokens.
    var revokedNumbers: SQLStatement { "SELECT number FROM \(token) WHERE revoked IS NOT NULL" }

    /// Selects all tokens, in the order of their creation.
    package var allTokens: SQLStatement { "SELECT * FROM \(token) ORDER BY position" }

    var tokenCount: SQLStatement {
        "SELECT count(*) AS count FROM \(token) WHERE revoked IS NULL"
    }

    func validToken(_ number: UInt64) -> SQLStatement {
        "SELECT * FROM \(token) WHERE number = \(Int(number)) AND revoked IS NULL"
    }

    /// Selects the tokens with these numbers, of which there is at least one.
    func tokens(_ numbers: some Collection<UInt64>) -> SQLStatement {
        let list = SQLStatement.list(
            numbers.map { number -> SQLStatement in "\(Int(number))" }
        )
        return "SELECT * FROM \(token) WHERE number IN (\(list))"
    }

    func insert(_ record: TokenRecord) -> SQLStatement {
        """
        INSERT INTO \(token) (number, digest, name, scopes, created, expires)
        VALUES (
            \(Int(record.number)), \(record.digest), \(record.name), \(record.scopes.text),
            \(record.created), \(record.expires)
        )
        """
    }

    /// Replaces a token's secret.
    func replace(_ record: TokenRecord) -> SQLStatement {
        """
        UPDATE \(token) SET digest = \(record.digest), created = \(record.created),
            expires = \(record.expires)
        WHERE number = \(Int(record.number))
        """
    }

    func revoke(_ number: UInt64, at now: Int) -> SQLStatement {
        """
        UPDATE \(token) SET revoked = \(now), digest = \([] as [UInt8])
        WHERE number = \(Int(number))
        """
    }

    /// Forgets the oldest revoked tokens above a limit.
    func forgetRevoked(above limit: Int) -> SQLStatement {
        """
        DELETE FROM \(token) WHERE revoked IS NOT NULL AND position NOT IN (
            SELECT position FROM \(token) WHERE revoked IS NOT NULL
            ORDER BY revoked DESC, position DESC LIMIT \(limit)
        )
        """
    }

    /// Stores the time of a token's last use, unless a later one is stored.
    func noteUse(of number: UInt64, at time: Int) -> SQLStatement {
        """
        UPDATE \(token) SET used = \(time)
        WHERE number = \(Int(number)) AND revoked IS NULL AND coalesce(used, 0) < \(time)
        """
    }

    var declaredScopes: SQLStatement { "SELECT name FROM \(scope)" }
    var removeScopes: SQLStatement { "DELETE FROM \(scope)" }
    func insertScope(_ name: String) -> SQLStatement {
        "INSERT INTO \(scope) (name) VALUES (\(name))"
    }
}
