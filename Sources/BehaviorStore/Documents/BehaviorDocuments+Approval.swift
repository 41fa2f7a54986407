import JSONCodec

extension BehaviorDocuments {
    /// Approves a draft; a second approval by the same caller changes nothing.
    ///
    /// The message is the approver's comment.
    /// - Throws: ``BehaviorStoreError``; an author of the draft, or of a part of it, can't approve
    ///   it.
    package func approve(
        _ number: Int,
        of key: DocumentKey,
        message: String = "",
        by author: Author
    ) async throws -> (info: RevisionInfo, approvals: [DraftRecord.Approval]) {
        try DocumentCheck.check(message: message)
        return try await change(by: author) { [self] pending in
            guard try await backend.document(key) != nil else {
                throw try await missing(key)
            }
            let info = try await knownRevision(number, of: key).info
            guard var draft = try await draft(number, of: key) else {
                throw BehaviorStoreError.conflict("revision \(number) is not a draft")
            }
            try draft.rejectIfDiscarded(number)
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
            let comment = message.isEmpty ? nil : message
            draft.approvals.append(
                .init(by: author, author.certificate, at: pending.now, message: comment)
            )
            try pending.note(
                .approve,
                environment: key.environment,
                name: key.name,
                from: try Self.audited(before, info),
                to: try Self.audited(draft, info, message: comment),
                draft: before
            )
            return (info, draft.approvals)
        }
    }

    /// Discards a draft, so that it can't go live; its bytes and its history stay.
    ///
    /// Its schedules end. Discarding it a second time changes nothing.
    /// - Throws: ``BehaviorStoreError``.
    package func discard(
        _ number: Int,
        of key: DocumentKey,
        message: String = "",
        by author: Author
    ) async throws -> (info: RevisionInfo, draft: DraftRecord) {
        try DocumentCheck.check(message: message)
        return try await change(by: author) { [self] pending in
            guard try await backend.document(key) != nil else { throw try await missing(key) }
            let info = try await knownRevision(number, of: key).info
            guard let before = try await draft(number, of: key) else {
                throw BehaviorStoreError.conflict("revision \(number) is not a draft")
            }
            guard before.discarded == nil else { return (info, before) }
            let reason = message.isEmpty ? nil : message
            var after = before
            after.discarded = DraftRecord.Discard(by: author, at: pending.now, message: reason)
            let audited = try Self.audited(before, info)
            var discarded = audited
            discarded["message"] = reason.map(JSON.string)
            try pending.note(
                .discard,
                environment: key.environment,
                name: key.name,
                from: audited,
                to: discarded,
                draft: before
            )
            try await endSchedules(of: number, key, because: "was discarded", &pending)
            return (info, after)
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

    private static func audited(
        _ draft: DraftRecord,
        _ info: RevisionInfo,
        message: String? = nil
    ) throws -> JSON {
        var json: JSON = [
            "draft": .number(JSON.Number(info.number)),
            "digest": .string(info.digest),
            "approvals": .array(draft.approvals.map { .string($0.by) }),
        ]
        if let certificate = draft.approvals.last?.certificate {
            json["certificate"] = try JSON(encoding: certificate)
        }
        json["message"] = message.map(JSON.string)
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
        let state = try await approvals(of: draft, in: key.environment)
        guard !state.isEnough else { return }
        throw BehaviorStoreError.conflict(
            ([state.sentence(on: number, in: key.environment)] + state.ended)
                .joined(separator: "; ")
        )
    }

    /// Counts a draft's approvals that are valid now.
    func approvals(
        of draft: DraftRecord,
        in environment: String
    ) async throws -> ApprovalState {
        try await approvals(of: draft, needed: rules(of: environment).approvals)
    }

    /// Counts a draft's valid approvals; `needed` is what its environment requires.
    func approvals(of draft: DraftRecord, needed: Int) async throws -> ApprovalState {
        var valid = ContributorSet()
        var ended: [String] = []
        for approval in draft.approvals {
            switch try await standing.verdict(on: approval.by, approval.certificate, .approve) {
            case .valid: valid.insert(approval.person)
            case .ended(let reason), .unknown(let reason):
                ended.append("the approval by \(approval.name) doesn't count: \(reason)")
            }
        }
        return ApprovalState(needed: needed, given: valid.count, ended: ended)
    }
}

/// The approvals of a draft: how many it needs and has.
package struct ApprovalState: Sendable, Equatable {
    /// How many people must approve it; 0 if approvals aren't required.
    package var needed: Int
    /// How many people have approved it whose approvals are valid now.
    package var given: Int
    /// The reasons why other approvals don't count, a phrase each.
    package var ended: [String]

    /// Whether the draft may go live.
    package var isEnough: Bool { given >= needed }

    /// For example `production requires 2 approvals, and draft 4 has 1`.
    func sentence(on number: Int, in environment: String) -> String {
        "\(environment) requires \(EnvironmentRules.approvals(needed)), and draft \(number) has "
            + "\(given)"
    }
}
