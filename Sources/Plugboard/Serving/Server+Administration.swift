import AdministrationStore
import Identity
package import PlugHTTP

extension Server {
    /// The contracts of the server's administration actions.
    package static let administration: [any Endpoint.Type] = [
        ListTokens.self, GetToken.self, CreateToken.self, RotateToken.self,
        RevokeToken.self,
        ListPlugs.self, GetPlug.self, SetPlug.self, ResetPlug.self,
        ExplainBehavior.self, ListModules.self, ListBehaviors.self, PutBehavior.self,
        PatchBehavior.self,
        ListRevisions.self, GetRevision.self, DescribeRevision.self, DiffBehavior.self,
        PublishDraft.self,
        RollBackBehavior.self,
        PromoteBehavior.self, ApproveDraft.self, DiscardDraft.self, ListDrafts.self,
        ScheduleBehavior.self, ListSchedules.self,
        CancelSchedule.self, ListEnvironments.self, GetEnvironment.self, SetEnvironment.self,
        RemoveEnvironment.self, RenameEnvironment.self,
        ListAudit.self, GetOverview.self, GetServedFile.self,
        ExportBehaviors.self, ImportBehaviors.self,
        GetOverrides.self, SetOverrides.self, RemoveOverrides.self,
        WatchPlugs.self, VerifyAudit.self, GetServer.self, ListScopes.self,
        CreateSession.self, GetSession.self, EndSession.self, ListSessions.self,
        RevokeSession.self,
    ]
}

extension Server {
    /// The scopes of the server's own actions.
    package static let administrationScopes: Scopes = [
        "admin", "audit:read", "behaviors:approve", "behaviors:read", "behaviors:write",
    ]

    /// The rules of every server: `admin` implies the scopes of its own actions.
    private static let administrationRules: ImpliedScopes = {
        let others = administrationScopes.names.filter { $0 != "admin" }
        return ["admin": Scopes(others)]
    }()

    /// The scopes that the application's actions need and its rules name.
    private var ownScopes: Scopes {
        Scopes(actions.flatMap { $0.declarations.scopes?.names ?? [] } + impliedScopes.names.names)
    }

    /// The scopes that a token can have: the application's and the server's own.
    var declaredScopes: Scopes { Scopes(ownScopes.names + Self.administrationScopes.names) }

    /// Stores the declared scopes for `token create`, which runs without the server.
    ///
    /// A server without scopes of its own creates no tables for them. A failure is logged only.
    func storeScopes(in administration: Administration) async {
        do {
            guard
                try await administration.backend.hasTables() || !ownScopes.isEmpty
            else { return }
            try await administration.tokens.store(declared: declaredScopes)
        } catch {
            logger.warning(
                "the scopes can't be stored, so token create doesn't know them: \(error)"
            )
        }
    }

    /// The application's rules and those of every server.
    var allImpliedScopes: ImpliedScopes { Self.administrationRules.adding(impliedScopes) }
}
