import AdministrationStore
import BehaviorStore
package import PostgreSQL

/// The schemas of the server's own tables in a PostgreSQL database.
package enum DatabaseSchemas {
    /// All schemas, in the order in which the command `migrate` applies them.
    package static var all: [PostgreSQLSchema] {
        [
            PostgreSQLBehaviors.schema(),
            PostgreSQLIdempotency.schema(),
            PostgreSQLAdministration.schema(),
            SharedRateLimits.schema(),
        ]
    }
}
