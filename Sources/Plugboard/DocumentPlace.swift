import BehaviorStore
import Logging

extension Server.Configuration {
    /// Where behavior documents are kept that aren't in the data folder.
    public enum DocumentPlace: Sendable, Equatable {
        /// A PostgreSQL, where several servers share one truth: `postgres://user:password@host/name`.
        ///
        /// What one server publishes is live on the others within a second. A server doesn't start
        /// without the database; where it is lost later, what is live is served on, changes are a 503,
        /// and `/readyz` tells. libpq has to be installed.
        case postgreSQL(String)
        /// A folder of files, `production/checkout.json` and so on: an edit goes live within a second.
        case folder(String)

        func keeping(_ logger: Logger) throws -> any BehaviorKeeping {
            switch self {
            case .postgreSQL(let url): try PostgreSQLBehaviors(url, logger: logger)
            case .folder(let folder): DirectoryBehaviors(folder, logger: logger)
            }
        }
    }
}

extension ReadinessCheck {
    /// Whether what keeps the behavior documents is there.
    init(_ keeping: any BehaviorKeeping) {
        self.init("behaviors") {
            if let loss = keeping.loss { throw BehaviorStoreError.unavailable(loss) }
        }
    }
}
