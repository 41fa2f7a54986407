import BehaviorStore
package import JSONCodec

// The constraints on the behavior actions' inputs, which the API's description includes.

extension Constraint {
    /// A document's or an environment's name, as ``DocumentKey`` accepts it.
    static var name: Constraint {
        .pattern(DocumentKey.pattern, DocumentKey.shape)
    }
}

extension [Constraint] {
    /// A document's name.
    static var document: [Constraint] { [.name, .example("default")] }

    /// The limit on a page's elements.
    static var page: [Constraint] {
        [.minimum(1), .maximum(JSON.Number(BehaviorDocuments.maximumPage))]
    }

    /// A revision's message, as ``DocumentCheck`` accepts it.
    static var message: [Constraint] {
        [
            .maxLength(DocumentCheck.maximumMessage),
            .pattern(
                #"^[^\u0000-\u0008\u000B-\u001F\u007F]*$"#,
                "text without control characters, except tabs and line feeds"
            ),
        ]
    }
}

/// An input that names a document and its environment.
package protocol DocumentInput: Constrained {}

extension DocumentInput {
    package static var constraints: Constraints { ["name": .document, "environment": [.name]] }
}

extension RevisionID: DocumentInput {}
extension PublishDraft.Input: DocumentInput {}
extension CancelSchedule.Input: DocumentInput {}
extension ExplainBehavior.Input: DocumentInput {}
extension BehaviorID: DocumentInput {}
extension SetOverrides.Input: DocumentInput {}
extension ListDrafts.Input: DocumentInput {}

/// An input with the message of a new revision.
package protocol RevisionInput: Constrained {}

extension RevisionInput {
    package static var constraints: Constraints {
        ["name": .document, "environment": [.name], "message": .message]
    }
}

extension PutBehavior.Input: RevisionInput {}
extension PatchBehavior.Input: RevisionInput {}
extension RollBackBehavior.Input: RevisionInput {}
extension DraftComment: RevisionInput {}

extension ListBehaviors.Input: Constrained {
    package static var constraints: Constraints { ["environment": [.name]] }
}

extension ListRevisions.Input: Constrained {
    package static var constraints: Constraints {
        [
            "name": .document, "environment": [.name], "before": [.minimum(1)],
            "limit": .page,
        ]
    }
}

extension GetRevision.Input: Constrained {
    package static var constraints: Constraints {
        ["name": .document, "environment": [.name], "promotedTo": [.name]]
    }
}

extension DiffBehavior.Input: Constrained {
    package static var constraints: Constraints {
        ["name": .document, "environment": [.name], "fromEnvironment": [.name]]
    }
}

extension PromoteBehavior.Input: Constrained {
    package static var constraints: Constraints {
        ["name": .document, "to": [.name], "from": [.name], "message": .message]
    }
}

extension ScheduleBehavior.Input: Constrained {
    package static var constraints: Constraints {
        ["name": .document, "environment": [.name], "at": [.format(.dateTime)]]
    }
}

extension SetEnvironment.Input: Constrained {
    package static var constraints: Constraints {
        [
            "environment": [.name],
            "approvals": [.minimum(0), .maximum(JSON.Number(EnvironmentRules.maximumApprovals))],
        ]
    }
}

extension EnvironmentID: Constrained {
    package static var constraints: Constraints { ["environment": [.name]] }
}

extension RenameEnvironment.Input: Constrained {
    package static var constraints: Constraints { ["environment": [.name], "to": [.name]] }
}
