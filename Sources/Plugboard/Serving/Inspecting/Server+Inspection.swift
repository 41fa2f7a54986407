import BehaviorStore
import Identity
import Plug
import PlugHTTP

extension Server {
    /// Start-up errors of actions, routes, scopes, hosts and origins, which depend on no file.
    package var declarationProblems: [String] {
        var problems = unpluggedProblems + (configuration.tls?.callerProblems ?? [])
        problems += allImpliedScopes.problems + authenticators.problems
        problems += environmentProblems + clientProblems + exposureProblems
        // Errors of the stores, which have checks of their own.
        var others: [String] = []
        let stores = openStores(&others)
        checkContracts(stores, policies(stores, isTest: false), &problems)
        return problems
    }

    /// The issuers of JSON Web Tokens that the server accepts.
    package var issuers: [WebTokens] {
        let others = authenticators.compactMap { authenticator -> WebTokens? in
            if case .webTokens(let tokens) = authenticator.check { tokens } else { nil }
        }
        return [configuration.webTokens].compactMap(\.self) + others
    }

    /// Start-up errors of the audit head and its key.
    package var auditHeadProblems: [String] {
        var problems: [String] = []
        _ = attempt(&problems) {
            try configuration.auditHead?.key.map(AuditAnchor.privateKey)
        }
        _ = attempt(&problems) {
            try configuration.auditHead.map { try AuditAnchor.file($0.path) }
        }
        return problems
    }
}

extension Server.Configuration {
    /// Opens the public folder, if there is one, and closes it; throws the start-up error.
    package func checkPublicFolder() throws {
        _ = try publicFolder.map { try PublicFolder(path: $0) }
    }
}
