import Digests
import JSONCodec

// Each record is decoded by its kind before the import: an unreadable record would block the server
// and the environment it belongs to.

extension ArchiveParser {
    /// Checks a record against the rules for requests; its documents and revisions must be above
    /// it.
    func check(_ record: StoredRecord) throws(JSONTypeError) {
        let key = record.key
        try StoredTextLimits.check(name: key.environment, at: "/record/environment")
        switch key.kind {
        case .rules: try Self.checkRules(record)
        case .override: try Self.checkOverride(record)
        case .draft: try checkDraft(record, Self.document(of: key))
        case .schedule: try checkSchedule(record, Self.document(of: key))
        case .origin: try checkOrigin(record, Self.document(of: key))
        case .basis: try checkBasis(record, Self.document(of: key))
        }
    }

    private static func document(of key: RecordKey) throws(JSONTypeError) -> DocumentKey {
        try StoredTextLimits.check(name: key.name, at: "/record/name")
        guard let document = DocumentKey(key.name, in: key.environment) else {
            throw JSONTypeError(pointer: "/record/name", message: "expected a name")
        }
        return document
    }

    private static func checkRules(_ record: StoredRecord) throws(JSONTypeError) {
        try StoredTextLimits.check(nothing: record.key.name, at: "/record/name")
        try StoredTextLimits.check(nothing: record.key.item, at: "/record/item")
        let rules: EnvironmentRules = try value(of: record)
        do throws(BehaviorStoreError) {
            try rules.check(at: Self.valuePointer)
        } catch {
            throw typeError(error)
        }
    }

    private static func checkOverride(_ record: StoredRecord) throws(JSONTypeError) {
        _ = try document(of: record.key)
        try StoredTextLimits.check(nothing: record.key.item, at: "/record/item")
        let overrides: BehaviorOverrides = try value(of: record)
        do throws(BehaviorStoreError) {
            try BehaviorOverrides.check(overrides.patch, at: Self.valuePointer + "/patch")
        } catch {
            throw typeError(error)
        }
        try check(overrides.by, overrides.name, overrides.at, at: Self.valuePointer)
    }

    private func checkDraft(
        _ record: StoredRecord,
        _ document: DocumentKey
    ) throws(JSONTypeError) {
        let number = try Self.number(record)
        let info = try revision(number, of: document, at: "/record/item")
        let draft: DraftRecord = try Self.value(of: record)
        if let author = draft.overriddenBy {
            try Self.check(author, at: Self.valuePointer + "/overriddenBy")
        }
        for (place, author) in (draft.contributors ?? []).enumerated() {
            try Self.check(author, at: Self.valuePointer + "/contributors/\(place)")
        }
        if let discarded = draft.discarded {
            let pointer = Self.valuePointer + "/discarded"
            try Self.check(discarded.by, discarded.name, discarded.at, at: pointer)
            try Self.check(message: discarded.message, at: pointer + "/message")
        }
        let makers = ContributorSet([info.maker] + draft.others)
        for (place, approval) in draft.approvals.enumerated() {
            let pointer = Self.valuePointer + "/approvals/\(place)"
            try Self.check(approval.by, approval.name, approval.at, at: pointer)
            try StoredTextLimits.check(approval.certificate, at: pointer + "/certificate")
            try Self.check(message: approval.message, at: pointer + "/message")
            let author = Contributor(approval.by, name: approval.name)
            guard !approval.by.isEmpty, !makers.contains(author) else {
                throw JSONTypeError(
                    pointer: pointer + "/by",
                    message: "an author of a draft or of a part of it can't approve it"
                )
            }
            guard !PersonName(author.name).isEmpty else {
                throw JSONTypeError(pointer: pointer + "/name", message: "an approver needs a name")
            }
            let isSecond = draft.approvals[..<place].contains {
                $0.isMade(by: approval.by, approval.certificate)
            }
            guard !isSecond else {
                throw JSONTypeError(pointer: pointer + "/by", message: "approves it twice")
            }
        }
    }

    private func checkSchedule(
        _ record: StoredRecord,
        _ document: DocumentKey
    ) throws(JSONTypeError) {
        let number = try Self.number(record)
        guard number <= rowCount else {
            throw JSONTypeError(pointer: "/record/item", message: "there is no such row above")
        }
        let plan: Schedule.Plan = try Self.value(of: record)
        _ = try revision(plan.revision, of: document, at: Self.valuePointer + "/revision")
        try Self.check(plan.by, plan.name, plan.at, at: Self.valuePointer)
        try StoredTextLimits.check(plan.certificate, at: Self.valuePointer + "/certificate")
    }

    private func checkOrigin(
        _ record: StoredRecord,
        _ document: DocumentKey
    ) throws(JSONTypeError) {
        _ = try revision(try Self.number(record), of: document, at: "/record/item")
        let origin: RevisionOrigin = try Self.value(of: record)
        let pointer = Self.valuePointer + "/environment"
        guard let source = DocumentKey(document.name, in: origin.environment) else {
            return try StoredTextLimits.check(name: origin.environment, at: pointer)
        }
        guard source != document else {
            throw JSONTypeError(pointer: pointer, message: "expected another environment")
        }
        _ = try revision(origin.revision, of: source, at: Self.valuePointer + "/revision")
    }

    private func checkBasis(
        _ record: StoredRecord,
        _ document: DocumentKey
    ) throws(JSONTypeError) {
        let number = try Self.number(record)
        _ = try revision(number, of: document, at: "/record/item")
        let basis: RevisionBasis = try Self.value(of: record)
        for (member, digest) in [("digest", basis.digest), ("overrides", basis.overrides)] {
            guard digest.map(Hexadecimal.isDigest) ?? true else {
                throw JSONTypeError(
                    pointer: Self.valuePointer + "/" + member,
                    message: "expected 64 hexadecimal digits"
                )
            }
        }
        if let earlier = basis.revision {
            let pointer = Self.valuePointer + "/revision"
            _ = try revision(earlier, of: document, at: pointer)
            guard earlier < number else {
                throw JSONTypeError(pointer: pointer, message: "expected an earlier revision")
            }
        }
        if let author = basis.overriddenBy {
            try Self.check(author, at: Self.valuePointer + "/overriddenBy")
        }
    }

    // MARK: Parts

    /// The JSON Pointer of a record's value, to which the value's own pointers are appended.
    private static let valuePointer = "/record/value"

    private static func value<Value: Decodable>(
        of record: StoredRecord
    ) throws(JSONTypeError) -> Value {
        do {
            return try JSON.decode(Value.self, from: record.value.utf8)
        } catch let error as JSONTypeError {
            throw JSONTypeError(
                pointer: valuePointer + error.pointer,
                message: error.message
            )
        } catch {
            throw JSONTypeError(pointer: valuePointer, message: "\(error)")
        }
    }

    /// Returns a record's number in its canonical form: `3`, and never `03`.
    private static func number(_ record: StoredRecord) throws(JSONTypeError) -> Int {
        guard let number = Int(record.key.item), number > 0, String(number) == record.key.item
        else { throw JSONTypeError(pointer: "/record/item", message: "expected a number") }
        return number
    }

    private static func check(
        _ author: String,
        _ name: String,
        _ time: Int,
        at pointer: String
    ) throws(JSONTypeError) {
        try StoredTextLimits.check(line: author, at: pointer + "/by")
        try StoredTextLimits.check(line: name, at: pointer + "/name")
        try StoredTextLimits.check(time: time, at: pointer + "/at")
    }

    private static func check(
        message: String?,
        at pointer: String
    ) throws(JSONTypeError) {
        do throws(BehaviorStoreError) {
            try DocumentCheck.check(message: message ?? "")
        } catch {
            throw JSONTypeError(pointer: pointer, message: typeError(error).message)
        }
    }

    private static func check(
        _ maker: Contributor,
        at pointer: String
    ) throws(JSONTypeError) {
        try StoredTextLimits.check(
            line: maker.id,
            at: maker.name.isEmpty ? pointer : pointer + "/by"
        )
        try StoredTextLimits.check(line: maker.name, at: pointer + "/name")
    }

    private func revision(
        _ number: Int,
        of key: DocumentKey,
        at pointer: String
    ) throws(JSONTypeError) -> RevisionInfo {
        guard let info = knownRevision(number, of: key) else {
            throw JSONTypeError(
                pointer: pointer,
                message: "there is no revision \(number) of \(key) above"
            )
        }
        return info
    }

    private static func typeError(_ error: BehaviorStoreError) -> JSONTypeError {
        if case .invalid(let problems) = error, let first = problems.first { return first }
        return JSONTypeError(pointer: valuePointer, message: error.description)
    }
}
