package import PlugHTTP

extension Server {
    /// The contracts of the server's administration actions.
    package static let administration: [any Endpoint.Type] = [
        ListTokens.self, GetToken.self, CreateToken.self, RotateToken.self,
        RevokeToken.self,
        ListPlugs.self, GetPlug.self, SetPlug.self, ResetPlug.self,
        ExplainBehavior.self, ListBehaviors.self, PutBehavior.self, PatchBehavior.self,
        ListRevisions.self, GetRevision.self, DiffBehavior.self, PublishDraft.self,
        RollBackBehavior.self,
        PromoteBehavior.self, ApproveDraft.self, ScheduleBehavior.self, ListSchedules.self,
        CancelSchedule.self, ListEnvironments.self, GetEnvironment.self, SetEnvironment.self,
        ListAudit.self,
        ExportBehaviors.self, ImportBehaviors.self,
        GetOverrides.self, SetOverrides.self, RemoveOverrides.self,
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

    /// The application's rules and those of every server.
    var allImpliedScopes: ImpliedScopes { Self.administrationRules.adding(impliedScopes) }
}
