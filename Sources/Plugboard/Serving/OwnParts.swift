import AdministrationStore
import BehaviorStore
import HTTPServer
import HTTPSyntax
import Identity
import PlugHTTP
import Storage

/// The parts of a server that its own actions show, apart from the stores.
struct OwnParts: Sendable {
    /// The signed-in browsers; nil without a console.
    var sessions: ConsoleSessions?
    /// The live figures of the actions.
    let board: PlugBoard
    /// The state of the server.
    let state: ServerState
}

extension Server {
    /// The parts of a server that isn't opened, for its description.
    func ownParts(_ tokens: TokenStore?) -> OwnParts {
        OwnParts(
            sessions: sessions(tokens),
            board: PlugBoard(actions, LoopObservations()),
            state: ServerState(environment: configuration.environment, options: [])
        )
    }

    /// The parts of an opened server.
    func ownParts(
        _ sessions: ConsoleSessions?,
        _ stores: Stores,
        _ documents: Documents,
        _ readiness: ReadinessState,
        _ tls: TLSFiles?,
        _ observations: LoopObservations
    ) -> OwnParts {
        var state = ServerState(
            environment: configuration.environment,
            options: configuration.optionsInForce
        )
        state.readiness = readiness
        state.certificates = {
            (tls?.context.expiries ?? []).map {
                ServerReport.Certificate(
                    name: $0.name,
                    expires: HTTPDate.timestamp($0.seconds)
                )
            }
        }
        let isFolder = if case .folder? = configuration.documents { true } else { false }
        state.stores = {
            func store(_ name: String, _ kind: String, _ loss: String?) -> ServerReport.Store {
                ServerReport.Store(name: name, kind: kind, loss: loss)
            }
            var all: [ServerReport.Store] = []
            if let data = stores.data { all.append(store("data", "SQLite", data.storage.loss)) }
            if let administration = stores.administration?.backend, administration.isRemote {
                all.append(store("administration", "PostgreSQL", administration.loss))
            }
            if let authored = documents.authored {
                let kind = isFolder ? "folder" : stores.database == nil ? "SQLite" : "PostgreSQL"
                all.append(store("documents", kind, authored.loss))
            }
            return all
        }
        return OwnParts(
            sessions: sessions,
            board: PlugBoard(actions, observations),
            state: state
        )
    }

    /// Creates the sessions of the console; nil without a console.
    ///
    /// A person who signs in with the link has all scopes of the server: an administrator can create
    /// tokens with them anyway.
    func sessions(_ tokens: TokenStore?) -> ConsoleSessions? {
        guard consolePort != nil else { return nil }
        let person = Caller(id: Caller.console, scopes: declaredScopes)
        return ConsoleSessions(tokens, scopes: allImpliedScopes.expand(person).scopes)
    }
}
