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
