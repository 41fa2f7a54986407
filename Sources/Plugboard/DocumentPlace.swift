package import BehaviorStore
import Glibc
package import Logging
import PostgreSQL

extension Server.Configuration {
    /// Where behavior documents are kept that aren't in the data folder.
    public enum DocumentPlace: Sendable, Equatable {
        /// A PostgreSQL, where several servers share one truth: `postgres://user:password@host/name`.
        ///
        /// What one server publishes is live on the others within a second, and a request that comes
        /// to two of them with one `Idempotency-Key` is done once. A server doesn't start
        /// without the database; where it is lost later, what is live is served on, changes are a 503,
        /// and `/readyz` tells. libpq has to be installed.
        case postgreSQL(String)
        /// A folder of files, `production/checkout.json` and so on: an edit goes live within a second.
        case folder(String)

        /// What keeps the documents there; nothing is opened before somebody needs it.
        package func keeping(_ logger: Logger) throws -> any BehaviorKeeping {
            try open(logger).behaviors
        }

        func open(_ logger: Logger) throws -> Kept {
            switch self {
            case .postgreSQL(let url):
                let client = try PostgreSQLClient(PostgreSQLAddress(url))
                return Kept(
                    behaviors: PostgreSQLBehaviors(client, logger: logger),
                    idempotency: Idempotency(PostgreSQLIdempotency(client))
                )
            case .folder(let folder):
                if access(folder, F_OK) != 0 {
                    logger.notice(
                        "behaviors: \(folder) isn't there yet: it is made with the first document"
                    )
                }
                return Kept(behaviors: DirectoryBehaviors(folder, logger: logger))
            }
        }

        /// What is kept there; nothing is opened before somebody needs it.
        struct Kept {
            let behaviors: any BehaviorKeeping
            /// The answers to requests that may come again; nil where they are in the data folder.
            var idempotency: Idempotency?
        }
    }
}

extension ReadinessCheck {
    /// Whether what keeps the behavior documents is there.
    init(_ documents: BehaviorDocuments) {
        self.init("behaviors") {
            if let loss = documents.loss { throw BehaviorStoreError.unavailable(loss) }
        }
    }
}
