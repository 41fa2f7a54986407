package import JSONCodec

extension BehaviorDocuments {
    /// Makes a revision of one environment the next one of another: live at once, or a draft.
    ///
    /// Without a number it takes the live revision. The target's overrides
    /// (``override(_:with:by:)``) are applied first, then this call's `patch`. An environment that
    /// requires approvals gets a draft. Without `mayCreate` the target environment must exist.
    /// - Throws: ``BehaviorStoreError``; then nothing is stored.
    package func promote(
        _ number: Int? = nil,
        of source: DocumentKey,
        to environment: String,
        overriddenBy patch: JSON? = nil,
        isDraft: Bool = false,
        message: String? = nil,
        expecting expected: ExpectedRevision = .any,
        mayCreate: Bool = true,
        by author: Author
    ) async throws -> Publication {
        let key = try Self.target(of: source, in: environment)
        try DocumentCheck.check(message: message ?? "")
        if let patch {
            try await Task.detached { try BehaviorOverrides.check(patch, at: "/overrides") }.value
        }
        return try await change(by: author) { [self] in
            try await basis(
                number,
                of: source,
                to: key,
                expecting: expected,
                mayCreate: mayCreate
            )
        } making: { [self] basis in
            let revision = try await knownRevision(basis.number, of: source)
            let (text, promotion) = try Self.overridden(
                revision,
                in: key,
                try basis.overrides.map {
                    try BehaviorOverrides(text: String(decoding: $0, as: UTF8.self))
                },
                patch
            )
            let message = message ?? promotion.origin.words
            return Derived(
                NewRevision(
                    key,
                    text.bytes,
                    text.behavior,
                    message: message,
                    from: promotion,
                    madeOf: revision.info
                ),
                of: revision.info
            )
        } _: { [self] derived, pending in
            let needsApproval = try await rules(of: environment).approvals > 0
            return try await put(
                try await named(derived, isDraft: isDraft || needsApproval, beside: author),
                isDraft: isDraft || needsApproval,
                expecting: expected,
                mayCreate: mayCreate,
                as: .promote,
                in: &pending
            )
        }
    }

    /// Returns the bytes that a promotion of a revision would store now; nothing is stored.
    ///
    /// - Throws: ``BehaviorStoreError`` as ``promote(_:of:to:overriddenBy:isDraft:message:expecting:mayCreate:by:)``.
    package func promoted(
        _ number: Int,
        of source: DocumentKey,
        to environment: String
    ) async throws -> [UInt8] {
        let key = try Self.target(of: source, in: environment)
        try await checkExists(key.environment)
        let revision = try await revision(number, of: source)
        let overrides = try await overrides(of: key)
        // Detached: a large document takes long to patch, and this may be an event loop's thread.
        return try await Task.detached {
            try Self.overridden(revision, in: key, overrides, nil).text.bytes
        }.value
    }

    /// Returns the key of a promotion's target.
    private static func target(
        of source: DocumentKey,
        in environment: String
    ) throws -> DocumentKey {
        guard let key = DocumentKey(source.name, in: environment) else {
            throw BehaviorStoreError.noName(environment)
        }
        guard key != source else {
            throw BehaviorStoreError.conflict("it is in \(environment) already")
        }
        return key
    }

    /// The inputs of a promotion.
    private struct PromotionBasis: Equatable {
        /// The revision's number.
        var number: Int
        /// The target's overrides as stored, byte for byte.
        var overrides: [UInt8]?
    }

    private func basis(
        _ number: Int?,
        of source: DocumentKey,
        to key: DocumentKey,
        expecting expected: ExpectedRevision,
        mayCreate: Bool
    ) async throws -> PromotionBasis {
        guard let known = try await backend.document(source) else {
            throw try await missing(source)
        }
        guard let number = number ?? known.live else {
            throw BehaviorStoreError.nothingLive(source)
        }
        // Checked before the slow preparation.
        if try await state(of: key, expecting: expected) == nil, !mayCreate {
            try await checkExists(key.environment, canCreate: true)
        }
        let overrides = try await keptOverrides(of: key)
        return PromotionBasis(number: number, overrides: overrides.map { Array($0.utf8) })
    }

    /// Applies the overrides to a revision; without overrides its bytes stay the same.
    private static func overridden(
        _ revision: StoredRevision,
        in key: DocumentKey,
        _ kept: BehaviorOverrides?,
        _ patch: JSON?
    ) throws -> (text: PatchedText, promotion: Promotion) {
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
            overriddenBy: kept?.patch.array?.isEmpty == false ? kept?.maker : nil
        )
        guard !promotion.operations.isEmpty else {
            return (PatchedText(bytes: revision.bytes, behavior: nil), promotion)
        }
        promotion.origin.isOverridden = true
        let text = try DocumentPatch.text(of: revision.bytes) {
            (document) throws(BehaviorStoreError) in
            var laid = document
            for (whose, operations) in layers {
                guard let operations else { continue }
                laid = try BehaviorOverrides.lay(operations, over: laid, whose: whose)
            }
            return laid
        }
        return (text, promotion)
    }
}
