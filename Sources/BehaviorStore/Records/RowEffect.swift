import JSONCodec

/// The effect of an audit row on the stored document and records.
///
/// It is the only reducer: a change stores it with its rows, and the audit check replays it.
struct RowEffect {
    /// The document's state after the row; nil if the row changes none.
    var document: DocumentState?
    /// The revision in the row; nil if it has none.
    var revision: AuditedRevision?
    /// The records that the row sets; a nil value removes one.
    var records: [(key: RecordKey, value: String?)] = []
}

extension AuditRow {
    /// The document that the row changes; nil if it changes none.
    var document: DocumentKey? { DocumentKey(name, in: environment) }

    /// The key of a record that the row changes.
    func key(_ kind: RecordKind, _ item: Int? = nil) -> RecordKey {
        RecordKey(kind, environment, name, item.map(String.init) ?? "")
    }

    /// Returns the row's effect; nil if the row can't be read.
    ///
    /// `state` is the document's state before the row, nil for a new document; `record` returns a
    /// record's value before the row.
    func effect(on state: DocumentState?, _ record: (RecordKey) -> String?) -> RowEffect? {
        switch kind {
        case .override: return RowEffect(records: [(key(.override), after)])
        case .rules: return RowEffect(records: [(key(.rules), after)])
        case .schedule: return RowEffect(records: [(key(.schedule, sequence), after)])
        case .cancel, .scheduleEnded:
            guard let ended: EndedSchedule = Self.read(before) else { return nil }
            return RowEffect(records: [(key(.schedule, ended.schedule), nil)])
        case .approve:
            guard let approved: AuditedDraft = Self.read(after) else { return nil }
            let key = key(.draft, approved.draft)
            guard var draft = record(key).flatMap(DraftRecord.init) else { return nil }
            draft.approvals.append(
                .init(by: author, approved.certificate, at: at, message: approved.message)
            )
            return RowEffect(records: [(key, draft.text)])
        case .discard:
            guard let discarded: AuditedDraft = Self.read(after) else { return nil }
            let key = key(.draft, discarded.draft)
            guard var draft = record(key).flatMap(DraftRecord.init) else { return nil }
            draft.discarded = DraftRecord.Discard(by: author, at: at, message: discarded.message)
            return RowEffect(records: [(key, draft.text)])
        case .draft, .publish, .rollback, .promote: return revisionEffect(on: state)
        case nil: return nil
        }
    }

    private func revisionEffect(on state: DocumentState?) -> RowEffect? {
        guard let document, let said: AuditedRevision = Self.read(after) else { return nil }
        var next = state ?? DocumentState(key: document, latest: 0)
        let isNew = said.revision > next.latest
        next.latest = max(next.latest, said.revision)
        var effect = RowEffect(revision: said)
        func set(_ kind: RecordKind, _ value: String?) {
            effect.records.append((key(kind, said.revision), value))
        }
        if said.live {
            next.live = said.revision
            // The time never decreases, even if the clock does (RFC 9110 §8.8.2).
            next.since = max(at, next.since ?? 0)
            if !isNew { set(.draft, nil) }
        } else {
            let record = DraftRecord(
                overriddenBy: said.origin?.overriddenBy,
                contributors: said.makers?.isEmpty == false ? said.makers : nil
            )
            set(.draft, record.text)
        }
        if let basis = said.basis { set(.basis, basis.json.description) }
        if let origin = said.origin?.origin { set(.origin, origin.json.description) }
        if let id = said.schedule { effect.records.append((key(.schedule, id), nil)) }
        effect.document = next
        return effect
    }

    /// Decodes a row's text; nil if it is missing or invalid.
    static func read<Value: Decodable>(_ text: String?) -> Value? {
        // Deeper than the limit of requests: a row wraps a request's JSON.
        text.flatMap { try? JSON.decode(Value.self, from: $0.utf8, depth: JSON.maximumDepth) }
    }
}

/// The contents of the row of an approval or a discarded draft.
struct AuditedDraft: Decodable {
    var draft: Int
    /// The SHA-256 digest of its bytes.
    var digest: String
    /// The numbers of the callers that approved it.
    var approvals: [String]
    /// The client certificate of the last one; nil if another credential identified its caller.
    var certificate: AuthorCertificate?
    /// The approver's comment, or the reason to discard it; nil if there is none.
    var message: String?
}

/// The contents of the row that ends a schedule.
struct EndedSchedule: Decodable { var schedule: Int }
