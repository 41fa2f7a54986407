package import BehaviorStore
import Glibc
package import Logging
import PostgreSQL

extension Server.Configuration {
    /// A store of behavior documents outside the data folder.
    public enum DocumentStore: Sendable, Equatable {
        /// A PostgreSQL database that several servers share: `postgres://user:password@host/name`.
        ///
        /// A document that one server publishes is live on the others within a second. Requests to
        /// several servers with the same `Idempotency-Key` are done once.
        ///
        /// If the database is unavailable at the start, documents are 503 until it is available. If
        /// the server loses it later, it serves the live documents and rejects changes with 503.
        /// `/readyz` reports both. libpq must be installed.
        case postgreSQL(String)
        /// A folder of files, `production/checkout.json` and so on: an edit goes live within a second.
        case folder(String)

        /// Returns the store of the documents, which opens nothing before its first use.
        package func backend(_ logger: Logger) throws -> any BehaviorBackend {
            try open(logger).behaviors
        }

        func open(_ logger: Logger) throws -> Kept {
            switch self {
            case .postgreSQL(let url):
                let client = try PostgreSQLClient(PostgreSQLAddress(url))
                let idempotency = PostgreSQLIdempotency(client)
                return Kept(
                    behaviors: PostgreSQLBehaviors(
                        client,
                        beside: [idempotency.schema],
                        logger: logger
                    ),
                    idempotency: Idempotency(idempotency),
                    database: client
                )
            case .folder(let folder):
                if access(folder, F_OK) != 0 {
                    logger.notice(
                        "behaviors: \(folder) is missing: the first document will create it"
                    )
                }
                return Kept(behaviors: DirectoryBehaviors(folder, logger: logger))
            }
        }

        /// The stores there, which open nothing before their first use.
        struct Kept {
            let behaviors: any BehaviorBackend
            /// The stored responses to requests with an `Idempotency-Key`; nil if they are in the
            /// data folder.
            var idempotency: Idempotency?
            /// The client of the database; nil if the documents are in none.
            var database: PostgreSQLClient?
        }
    }
}

extension ReadinessCheck {
    /// Checks that the behavior documents are loaded, and that their store is available.
    static func of(_ documents: BehaviorDocuments) -> [ReadinessCheck] {
        [
            ReadinessCheck("behaviors") {
                guard documents.isWaiting, let loss = documents.loss else { return }
                throw BehaviorStoreError.unavailable(loss)
            },
            ReadinessCheck("behaviors:write", for: .write) {
                guard !documents.isWaiting, let loss = documents.loss else { return }
                throw BehaviorStoreError.unavailable(loss)
            },
        ]
    }
}
