package import AdministrationStore
package import BehaviorStore
import Glibc
import Identity
package import Logging
package import PostgreSQL

extension Server.Configuration {
    /// A store of behavior documents outside the data folder.
    public enum DocumentStore: Sendable, Equatable {
        /// A PostgreSQL database that several servers share: `postgres://user:password@host/name`.
        ///
        /// A document that one server publishes is live on the others within a second. Requests to
        /// several servers with the same `Idempotency-Key` are done once. Tokens, plugs and the
        /// administration's audit are in the database, too, in place of the data folder.
        ///
        /// If the database is unavailable at the start, documents are 503 until it is available. If
        /// the server loses it later, it serves the live documents, accepts the known tokens, and
        /// rejects changes with 503.
        /// `/readyz` reports both. libpq must be installed.
        case postgreSQL(String)
        /// A folder of files, `production/checkout.json` and so on: an edit goes live within a second.
        case folder(String)

        var isDatabase: Bool { if case .postgreSQL = self { true } else { false } }

        /// Returns the stores; `schemas` are the application's own in the database.
        package func open(
            _ logger: Logger,
            migrates: Bool = true,
            schemas: [PostgreSQLSchema] = []
        ) throws -> Kept {
            switch self {
            case .postgreSQL(let url):
                var settings = PostgreSQLConfiguration()
                settings.migrates = migrates
                let client = try PostgreSQLClient(PostgreSQLAddress(url), settings)
                let administration = PostgreSQLAdministration(client, logger: logger)
                return Kept(
                    behaviors: PostgreSQLBehaviors(
                        client,
                        checking: DatabaseSchemas.all + schemas,
                        administration: administration,
                        logger: logger
                    ),
                    administration: administration,
                    idempotency: Idempotency(PostgreSQLIdempotency(client)),
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
        package struct Kept {
            /// The documents.
            package let behaviors: any BehaviorBackend
            /// The tokens, plugs and their audit; nil if they are in the data folder.
            package var administration: (any AdministrationBackend)?
            /// The stored responses to requests with an `Idempotency-Key`; nil if they are in the
            /// data folder.
            var idempotency: Idempotency?
            /// The client of the database; nil if the documents are in none.
            var database: PostgreSQLClient?
        }
    }
}

extension Server.Configuration {
    /// The folder in which the server stores its own data; nil if a database has all of it.
    ///
    /// An application may use the data folder even so.
    package var ownDataFolder: String? {
        if case .postgreSQL = documents { nil } else { dataFolder }
    }

    /// Whether the server has a store for tokens and plugs.
    var hasTokens: Bool { dataFolder != nil || documents.map(\.isDatabase) ?? false }

    /// Returns the counts of rate limits that servers share; nil if each counts alone.
    ///
    /// They have connections of their own: a slow statement of the documents delays no call.
    func sharedLimits(_ logger: Logger) throws -> SharedRateLimits? {
        guard sharesRateLimits, case .postgreSQL(let url)? = documents else { return nil }
        var settings = SharedRateLimits.configuration(patience: rateLimitPatience)
        settings.migrates = migratesDatabase
        return SharedRateLimits(
            try PostgreSQLClient(PostgreSQLAddress(url), settings),
            logger: logger
        )
    }

    /// Start-up errors for shared rate limits.
    var sharedLimitProblems: [String] {
        if sharesRateLimits {
            guard case .postgreSQL? = documents else {
                return ["shared rate limits need a PostgreSQL database: name it"]
            }
        }
        return []
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

extension ReadinessCheck {
    /// Checks that the tokens are loaded from a remote store, and that the store is available.
    static func of(_ administration: Administration) -> [ReadinessCheck] {
        let (backend, tokens) = (administration.backend, administration.tokens)
        guard backend.isRemote else { return [] }
        return [
            ReadinessCheck("tokens") {
                guard tokens.isWaiting else { return }
                throw AdministrationError.unavailable(backend.loss ?? "they aren't loaded yet")
            },
            ReadinessCheck("tokens:write", for: .write) {
                guard !tokens.isWaiting, let loss = backend.loss else { return }
                throw AdministrationError.unavailable(loss)
            },
        ]
    }
}
