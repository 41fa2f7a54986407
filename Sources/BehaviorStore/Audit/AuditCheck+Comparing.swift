import Digests

// The stored documents, revisions and records are compared with the rows.

extension AuditCheck {
    mutating func compare(
        _ documents: [DocumentState],
        _ said: [DocumentKey: AuditedState.Document],
        _ backend: any StoredBehaviors
    ) async throws {
        for document in documents {
            let said = said[document.key] ?? AuditedState.Document()
            compare(document, said)
            try await compareRevisions(of: document, said, backend)
        }
        let kept = Set(documents.map(\.key))
        for key in said.keys.sorted() where !kept.contains(key) {
            find("\(key) is missing")
        }
    }

    private mutating func compare(_ document: DocumentState, _ said: AuditedState.Document) {
        func words(_ number: Int?) -> String { number.map { "revision \($0)" } ?? "nothing" }
        if said.live != document.live {
            find(
                "\(document.key): \(words(document.live)) is live, but the rows say "
                    + words(said.live)
            )
        } else if said.since != document.since {
            find("\(document.key): the live revision's time differs from the rows")
        }
        if said.latest != document.latest {
            find(
                "\(document.key): revision \(document.latest) is the newest, but the rows "
                    + "say \(words(said.latest == 0 ? nil : said.latest))"
            )
        }
    }

    private mutating func compareRevisions(
        of document: DocumentState,
        _ said: AuditedState.Document,
        _ backend: any StoredBehaviors
    ) async throws {
        var missing = Set(said.revisions.keys)
        var before: Int?
        while isOpen {
            let page = try await backend.revisions(of: document.key, before: before, limit: 100)
            guard let last = page.last else { break }
            for info in page {
                missing.remove(info.number)
                try await compare(info, backend)
            }
            before = last.number
        }
        for number in missing.sorted() {
            find("\(document.key): revision \(number) is missing")
        }
    }

    private mutating func compare(
        _ info: RevisionInfo,
        _ backend: any StoredBehaviors
    ) async throws {
        func said() -> AuditedState.Revision? {
            state.documents[info.key]?.revisions[info.number]
        }
        // A concurrent change may have made it after the last row that was read.
        if said() == nil { try await readRows(backend) }
        guard let said = said() else {
            return find("\(info.key): no row mentions revision \(info.number)")
        }
        do {
            let revision = try await backend.revision(info.number, of: info.key)
            guard let revision, Hexadecimal.sha256(revision.bytes) == said.digest,
                info.digest == said.digest, info.size == revision.bytes.count
            else {
                return find("\(info.key): revision \(info.number) doesn't match its digest")
            }
        } catch BehaviorStoreError.unavailable(let reason) {
            // In a folder each revision is a file of its own; in a database this error affects all
            // revisions.
            return find("\(info.key): revision \(info.number) can't be read: \(reason)")
        }
        if !said.matches(of: info) {
            find(
                "\(info.key): revision \(info.number)'s author, time or message differs from "
                    + "the rows"
            )
        }
    }

    mutating func compare(_ records: [StoredRecord], _ said: [RecordKey: String]) {
        var said = said
        for record in records {
            guard let value = said.removeValue(forKey: record.key) else {
                find("no row mentions \(record.key)")
                continue
            }
            if !StoredTextLimits.isSame(value, record.value) {
                find("\(record.key): the value differs from the rows")
            }
        }
        for key in said.keys.sorted() { find("\(key): the record is missing") }
    }
}
