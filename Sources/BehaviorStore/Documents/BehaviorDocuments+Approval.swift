import JSONCodec

extension BehaviorDocuments {
    /// Returns the rules of an environment.
    package func rules(of environment: String) async throws -> EnvironmentRules {
        try await backend.records(.rules, environment: environment, name: "").first
            .map(Self.rules) ?? EnvironmentRules()
    }

    private static func rules(_ record: StoredRecord) throws -> EnvironmentRules {
        guard let rules = try? JSON.decode(EnvironmentRules.self, from: record.value.utf8) else {
            throw BehaviorStoreError.unavailable(
                "the rules of \(record.key.environment) can't be read"
            )
        }
        return rules
    }

    /// Returns all environments by name: the served one, those with documents, and those with
    /// rules.
    package func environments() async throws -> [(name: String, rules: EnvironmentRules)] {
        let records = try await backend.records(.rules, environment: nil, name: nil)
        var known = try Dictionary(
            records.map { ($0.key.environment, try Self.rules($0)) },
            uniquingKeysWith: { one, _ in one }
        )
        let others = try await backend.documents().map(\.key.environment) + [environment]
        for name in others where known[name] == nil { known[name] = EnvironmentRules() }
        return known.map { (name: $0.key, rules: $0.value) }.sorted { $0.name < $1.name }
    }

    /// Sets the rules of an environment.
    ///
    /// - Throws: ``BehaviorStoreError`` if the rules are invalid.
    package func set(
        _ rules: EnvironmentRules,
        of environment: String,
        by author: Author
    ) async throws {
        try rules.check()
        guard DocumentKey.isName(environment) else { throw BehaviorStoreError.noName(environment) }
        try await change(by: author) { [self] pending in
            let before = try await self.rules(of: environment)
            guard before != rules else { return }
            try await checkRoomForRules(of: environment)
            let json = try JSON(encoding: rules)
            try pending.note(
                .rules,
                environment: environment,
                name: "",
                from: try JSON(encoding: before),
                to: json
            )
        }
    }

    private func checkRoomForRules(of environment: String) async throws {
        let known = try await backend.records(.rules, environment: nil, name: nil)
        let isKnown = known.contains { $0.key.environment == environment }
        guard isKnown || known.count < StoreLimits.maximumDocumentCount else {
            throw BehaviorStoreError.conflict(
                "a store has rules of \(StoreLimits.maximumDocumentCount) environments at most"
            )
        }
    }

    /// Approves a draft; a second approval by the same caller changes nothing.
    ///
    /// - Throws: ``BehaviorStoreError``; an author of the draft, or of a part of it, can't approve
    ///   it.
    package func approve(
        _ number: Int,
        of key: DocumentKey,
        by author: Author
    ) async throws -> (info: RevisionInfo, approvals: [DraftRecord.Approval]) {
        try await change(by: author) { [self] pending in
            guard try await backend.document(key) != nil else {
                throw BehaviorStoreError.noDocument(key)
            }
            let info = try await knownRevision(number, of: key).info
            guard var draft = try await draft(number, of: key) else {
                throw BehaviorStoreError.conflict("revision \(number) is not a draft")
            }
            guard !author.id.isEmpty, !info.maker.isSame(as: author) else {
                throw BehaviorStoreError.forbidden("the author of a draft can't approve it")
            }
            try Self.checkName(of: author)
            guard draft.overriddenBy?.isSame(as: author) != true else {
                throw BehaviorStoreError.forbidden(
                    "the author of a draft's overrides can't approve it"
                )
            }
            guard !draft.others.contains(where: { $0.isSame(as: author) }) else {
                throw BehaviorStoreError.forbidden(
                    "an author of a part of a draft can't approve it"
                )
            }
            let makers = [info.maker] + draft.others
            guard makers.allSatisfy(\.isIdentifiable) else {
                throw BehaviorStoreError.forbidden(
                    "an author of the draft or of a part of it has no name, so its approver may be "
                        + "the same person: put the whole document as a draft with a named token"
                )
            }
            guard makers.allSatisfy({ PersonName($0.name).isComparable }) else {
                throw BehaviorStoreError.forbidden(
                    "the name of an author of the draft has characters that imitate others, so its "
                        + "approver can't be another person for sure"
                )
            }
            // A person whose earlier token or certificate has ended approves with another one.
            for own in draft.approvals where own.person.isSame(as: author) {
                if own.isMade(by: author.id, author.certificate) {
                    return (info, draft.approvals)
                }
                let verdict = try await standing.verdict(on: own.by, own.certificate, .approve)
                if verdict == .valid { return (info, draft.approvals) }
            }
            let before = draft
            draft.approvals.append(.init(by: author, author.certificate, at: pending.now))
            try pending.note(
                .approve,
                environment: key.environment,
                name: key.name,
                from: try Self.audited(before, info),
                to: try Self.audited(draft, info),
                draft: before
            )
            return (info, draft.approvals)
        }
    }

    /// Checks that an approver has a name: it distinguishes people.
    private static func checkName(of author: Author) throws(BehaviorStoreError) {
        let name = PersonName(author.name)
        guard !name.isEmpty else {
            throw .forbidden(
                "the approver has no name, so it may be the draft's author: use a token with a "
                    + "name"
            )
        }
        guard name.isComparable else {
            throw .forbidden(
                "the approver's name has characters that imitate others: use a token with a plain "
                    + "name"
            )
        }
    }

    private static func audited(_ draft: DraftRecord, _ info: RevisionInfo) throws -> JSON {
        var json: JSON = [
            "draft": .number(JSON.Number(info.number)),
            "digest": .string(info.digest),
            "approvals": .array(draft.approvals.map { .string($0.by) }),
        ]
        if let certificate = draft.approvals.last?.certificate {
            json["certificate"] = try JSON(encoding: certificate)
        }
        return json
    }

    /// Checks that the environment requires no approvals.
    func checkIsOpen(_ environment: String) async throws {
        let needed = try await rules(of: environment).approvals
        guard needed == 0 else {
            throw BehaviorStoreError.conflict(
                "\(environment) requires \(EnvironmentRules.approvals(needed)): publish it "
                    + "as a draft, have others approve it, then publish it"
            )
        }
    }

    /// Checks that a draft has enough approvals.
    func check(_ draft: DraftRecord, _ number: Int, of key: DocumentKey) async throws {
        let needed = try await rules(of: key.environment).approvals
        guard needed > 0 else { return }
        var valid = ContributorSet()
        var ended: [String] = []
        for approval in draft.approvals {
            switch try await standing.verdict(on: approval.by, approval.certificate, .approve) {
            case .valid: valid.insert(approval.person)
            case .ended(let reason), .unknown(let reason):
                ended.append("the approval by \(approval.name) doesn't count: \(reason)")
            }
        }
        guard valid.count >= needed else {
            let count =
                "\(key.environment) requires \(EnvironmentRules.approvals(needed)), and draft \(number) has "
            throw BehaviorStoreError.conflict(
                ([count + "\(valid.count)"] + ended).joined(separator: "; ")
            )
        }
    }
}
