import BehaviorStore
import HTTPSyntax
import HTTPServer
import JSONCodec
import PlugHTTP
import AdministrationStore

extension ExposedAction {
    /// The actions that author behaviors; `administration` has the administration's audit.
    static func administration(
        of documents: BehaviorDocuments,
        _ administration: (any AdministrationBackend)?
    ) -> [ExposedAction] {
        authoring(of: documents) + comparing(of: documents) + releasing(of: documents)
            + environments(of: documents) + archiving(of: documents, administration)
            + [
                audit(of: documents, administration), overview(of: documents),
                servedFile(of: documents),
            ]
    }

    private static func authoring(of documents: BehaviorDocuments) -> [ExposedAction] {
        [
            ExposedAction(own: ListBehaviors.self, .json(location: nil)) {
                let environment = try documents.environment($0.environment)
                try await documents.checkExists(environment)
                return try await documents.documents(in: environment).map(BehaviorReport.init)
            },
            ExposedAction(own: PutBehavior.self, .revision(isNew: true)) { input, author in
                RevisionReport(
                    try await documents.put(
                        Array(input.document.utf8),
                        as: documents.key(input.name, input.environment),
                        isDraft: input.draft ?? false,
                        message: input.message ?? "",
                        expecting: ExpectedRevision(input.ifMatch, input.ifNoneMatch),
                        mayCreate: input.create ?? false,
                        by: author
                    )
                )
            },
            ExposedAction(own: PatchBehavior.self, .revision(isNew: true)) { input, author in
                guard let form = PatchForm(mediaType: input.mediaType) else {
                    throw Problem.unsupportedMediaType("\(input.mediaType) is not a patch")
                }
                return RevisionReport(
                    try await documents.patch(
                        documents.key(input.name, input.environment),
                        with: Array(input.patch.utf8),
                        as: form,
                        revision: input.revision,
                        isDraft: input.draft ?? false,
                        message: input.message ?? "",
                        expecting: ExpectedRevision(input.ifMatch, input.ifNoneMatch),
                        by: author
                    )
                )
            },
            ExposedAction(own: ListRevisions.self, .json(location: nil)) { input in
                try await documents.history(
                    of: documents.key(input.name, input.environment),
                    before: input.before,
                    limit: input.limit ?? BehaviorDocuments.usualPage
                ).map(RevisionReport.init)
            },
            ExposedAction(own: GetRevision.self, .body) { input in
                let key = try documents.key(input.name, input.environment)
                let bytes =
                    if let target = input.promotedTo {
                        try await documents.promoted(
                            input.revision,
                            of: key,
                            to: documents.environment(target, named: "promotedTo")
                        )
                    } else {
                        try await documents.revision(input.revision, of: key).bytes
                    }
                return ResponseBody(bytes: bytes, mediaType: "application/json")
            },
            ExposedAction(own: DescribeRevision.self, .json(location: nil)) { input in
                let key = try documents.key(input.name, input.environment)
                return RevisionReport(try await documents.entry(input.revision, of: key))
            },
            ExposedAction(own: PublishDraft.self, .revision(isNew: false)) { input, author in
                RevisionReport(
                    try await documents.publish(
                        input.revision,
                        of: documents.key(input.name, input.environment),
                        expecting: ExpectedRevision(input.ifMatch, input.ifNoneMatch),
                        by: author
                    )
                )
            },
            ExposedAction(own: RollBackBehavior.self, .revision(isNew: true)) { input, author in
                RevisionReport(
                    try await documents.rollback(
                        to: input.revision,
                        of: documents.key(input.name, input.environment),
                        message: input.message,
                        expecting: ExpectedRevision(input.ifMatch, input.ifNoneMatch),
                        by: author
                    )
                )
            },
        ]
    }
}

extension BehaviorDocuments {
    /// Returns the named environment; without a name, the served one.
    ///
    /// - Throws: a `422` for an invalid name.
    func environment(
        _ name: String?,
        named member: String = "environment"
    ) throws(Problem) -> String {
        let name = name ?? environment
        guard DocumentKey.isName(name) else { throw .noName(at: member) }
        return name
    }

    /// Returns a document's key.
    ///
    /// - Throws: a `400` or `422` for an invalid name.
    func key(_ name: String, _ environment: String?) throws(Problem) -> DocumentKey {
        guard let key = DocumentKey(name, in: try self.environment(environment)) else {
            throw .noName(at: "name")
        }
        return key
    }
}

extension Problem {
    /// The error for an invalid name.
    fileprivate static func noName(at member: String) -> Problem {
        let message = "expected \(DocumentKey.shape)"
        let error = JSONTypeError(pointer: "/\(member)", message: message)
        return Problem(invalid: JSONTypeErrors([error]), pathNames: ["name"])
    }
}

extension BehaviorReport {
    init(_ state: DocumentState) {
        self.init(
            name: state.key.name,
            environment: state.key.environment,
            latest: state.latest,
            live: state.live,
            since: state.since.map(HTTPDate.timestamp)
        )
    }
}

extension OutputForm<RevisionReport> {
    /// A 201 with a `Location` for a new revision, else a 200.
    ///
    /// The response for a live revision has the tag that ``ExpectedRevision`` accepts.
    static func revision(isNew: Bool) -> Self {
        let json = OutputForm.json(location: isNew ? PutBehavior.location : nil)
        let description = OutputDescription.value(Output.self, isNew ? .always : .never)
        return OutputForm(description: description) { report, context in
            var response = try json.encode(report, context)
            if report.state == RevisionStage.live.rawValue {
                response.fields += ResponseFields([("ETag", "\"\(report.revision)\"")])
            }
            return response
        }
    }
}
