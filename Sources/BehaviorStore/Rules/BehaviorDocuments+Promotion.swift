extension BehaviorDocuments {
    /// Makes a revision of one environment the next one of another: live there at once, or a draft.
    ///
    /// It is what is live where no number is given. An environment that asks for approvals gets a draft.
    /// - Throws: ``BehaviorStoreError``.
    package func promote(
        _ number: Int? = nil,
        of source: DocumentKey,
        to environment: String,
        isDraft: Bool = false,
        message: String? = nil,
        expecting expected: ExpectedRevision = .any,
        by author: Author
    ) async throws -> Publication {
        guard let key = DocumentKey(source.name, in: environment) else {
            throw BehaviorStoreError.noName(environment)
        }
        guard key != source else {
            throw BehaviorStoreError.conflict("it is in \(environment) already")
        }
        try DocumentCheck.check(message: message ?? "")
        return try await change(by: author) { [self] ledger in
            guard let state = try await keeping.document(source) else {
                throw BehaviorStoreError.noDocument(source)
            }
            guard let number = number ?? state.live else {
                throw BehaviorStoreError.conflict("nothing of \(source) is live")
            }
            let bytes = try await knownRevision(number, of: source).bytes
            let text = message ?? "From \(source.environment), revision \(number)"
            let needsApproval = try await rules(of: environment).approvals > 0
            return try await put(
                NewRevision(key, bytes, message: text),
                isDraft: isDraft || needsApproval,
                expecting: expected,
                as: "promote",
                in: &ledger
            )
        }
    }
}
