package import JSONCodec

extension BehaviorDocuments {
    /// Makes a revision of one environment the next one of another: live there at once, or a draft.
    ///
    /// It is what is live where no number is given. What the other environment has otherwise
    /// (``override(_:with:by:)``) is laid over it, then the `patch` of this call. An environment that
    /// asks for approvals gets a draft.
    /// - Throws: ``BehaviorStoreError``; then nothing is kept.
    package func promote(
        _ number: Int? = nil,
        of source: DocumentKey,
        to environment: String,
        overriddenBy patch: JSON? = nil,
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
        if let patch { try BehaviorOverrides.check(patch, at: "/overrides") }
        return try await change(by: author) { [self] ledger in
            guard let state = try await keeping.document(source) else {
                throw BehaviorStoreError.noDocument(source)
            }
            guard let number = number ?? state.live else {
                throw BehaviorStoreError.nothingLive(source)
            }
            let (bytes, promotion) = try await overridden(
                try await knownRevision(number, of: source),
                in: key,
                patch
            )
            let needsApproval = try await rules(of: environment).approvals > 0
            return try await put(
                NewRevision(
                    key,
                    bytes,
                    message: message ?? promotion.origin.words,
                    from: promotion
                ),
                isDraft: isDraft || needsApproval,
                expecting: expected,
                as: "promote",
                in: &ledger
            )
        }
    }

    /// What a revision becomes in another environment; without overrides it is the same, byte by byte.
    private func overridden(
        _ revision: StoredRevision,
        in key: DocumentKey,
        _ patch: JSON?
    ) async throws -> (bytes: [UInt8], promotion: Promotion) {
        let kept = try await overrides(of: key)
        let layers = [
            ("the overrides of \(key)", kept?.patch), ("the overrides of this call", patch),
        ]
        let info = revision.info
        var promotion = Promotion(
            origin: RevisionOrigin(
                environment: info.key.environment,
                revision: info.number,
                isOverridden: false
            ),
            operations: layers.flatMap { $0.1?.array ?? [] },
            overriddenBy: kept?.patch.array?.isEmpty == false ? kept?.by : nil
        )
        guard !promotion.operations.isEmpty else { return (revision.bytes, promotion) }
        promotion.origin.isOverridden = true
        let document = try JSON(parsing: revision.bytes)
        var laid = document
        for (whose, operations) in layers {
            guard let operations else { continue }
            laid = try BehaviorOverrides.lay(operations, over: laid, whose: whose)
        }
        // Nothing but tests, or what is as it is to be already.
        guard laid != document else { return (revision.bytes, promotion) }
        let bytes = laid.encoded()
        try DocumentCheck.check(bytes)
        return (bytes, promotion)
    }
}
