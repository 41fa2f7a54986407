import JSONCodec

/// Makes an archive of its text, as that comes in pieces of any size.
package struct ArchiveParser {
    /// The longest line: a document of 1 MiB, each byte of it escaped.
    private static let greatestLine = 8 << 20

    private var archive = BehaviorArchive()
    /// A line that isn't whole yet.
    private var rest: [UInt8] = []
    /// How many lines were read.
    private var count = 0
    private var head = AuditHead.none
    /// How many revisions of a document there are so far.
    private var latest: [DocumentKey: Int] = [:]
    private var keys: Set<DocumentKey> = []
    private var recordKeys: Set<RecordKey> = []
    private var isOver = false

    package init() {}

    /// Reads a piece.
    ///
    /// - Throws: ``BehaviorArchive/Invalid`` with the line that is wrong.
    package mutating func take(_ piece: [UInt8]) throws(BehaviorArchive.Invalid) {
        var piece = piece[...]
        while let end = piece.firstIndex(of: UInt8(ascii: "\n")) {
            rest += piece[..<end]
            piece = piece[(end + 1)...]
            try takeLine()
        }
        rest += piece
        guard rest.count <= Self.greatestLine else { throw wrong("it is longer than 8 MiB", at: 1) }
    }

    /// The archive, when all of it has been read.
    ///
    /// - Throws: ``BehaviorArchive/Invalid`` where it isn't whole.
    package mutating func finish() throws(BehaviorArchive.Invalid) -> BehaviorArchive {
        if !rest.isEmpty { try takeLine() }
        guard isOver else { throw wrong("the archive is cut off here", at: 1) }
        return archive
    }

    /// What is wrong with the line in hand, or the one that is so far behind it.
    private func wrong(_ reason: String, at distance: Int = 0) -> BehaviorArchive.Invalid {
        BehaviorArchive.Invalid(line: count + distance, reason: reason)
    }

    private mutating func takeLine() throws(BehaviorArchive.Invalid) {
        count += 1
        defer { rest = [] }
        let line: ArchiveLine
        do {
            line = try JSON.decode(ArchiveLine.self, from: rest)
        } catch {
            throw wrong("\(error)")
        }
        if count == 1 {
            guard line.format == BehaviorArchive.format else {
                throw wrong("it is no \(BehaviorArchive.format)")
            }
            return
        }
        guard !isOver else { throw wrong("there is more than the archive") }
        switch (line.audit, line.revision, line.document, line.record, line.end) {
        case (let row?, nil, nil, nil, nil): try take(row.row)
        case (nil, let revision?, nil, nil, nil): try take(revision, line.text ?? "")
        case (nil, nil, let document?, nil, nil): try take(document)
        case (nil, nil, nil, let record?, nil): try take(record)
        case (nil, nil, nil, nil, let end?): try take(end)
        default: throw wrong("expected audit, revision, document, record or end")
        }
    }

    private mutating func take(_ row: AuditRow) throws(BehaviorArchive.Invalid) {
        guard row.sequence == head.sequence + 1, row.previous == head.hash else {
            throw wrong("row \(row.sequence) doesn't follow upon row \(head.sequence)")
        }
        guard row.hash == row.computedHash else {
            throw wrong("row \(row.sequence) was edited: its hash isn't that of what it says")
        }
        head = AuditHead(row)
        archive.rows.append(row)
    }

    private mutating func take(
        _ form: RevisionForm,
        _ text: String
    ) throws(BehaviorArchive.Invalid) {
        guard let info = form.info else { throw noName(form.name, form.environment) }
        let known = latest[info.key] ?? 0
        guard info.number == known + 1 else {
            throw wrong(
                "revision \(info.number) of \(info.key) doesn't follow upon revision \(known)"
            )
        }
        let bytes = Array(text.utf8)
        guard Hexadecimal.sha256(bytes) == info.digest, bytes.count == info.size else {
            throw wrong("revision \(info.number) of \(info.key) isn't what its digest says")
        }
        do throws(BehaviorStoreError) {
            try DocumentCheck.check(bytes)
            try DocumentCheck.check(message: info.message)
        } catch {
            throw wrong("revision \(info.number) of \(info.key): \(error)")
        }
        latest[info.key] = info.number
        archive.revisions.append(StoredRevision(info: info, bytes: bytes))
    }

    private mutating func take(_ form: DocumentForm) throws(BehaviorArchive.Invalid) {
        guard let state = form.state else { throw noName(form.name, form.environment) }
        guard keys.insert(state.key).inserted else { throw wrong("\(state.key) is there twice") }
        archive.documents.append(state)
    }

    private mutating func take(_ form: RecordForm) throws(BehaviorArchive.Invalid) {
        guard let key = form.key, let value = form.value else {
            throw wrong("there is no kind \(form.kind) of what is kept, or it has no value")
        }
        guard recordKeys.insert(key).inserted else { throw wrong("\(key) is there twice") }
        archive.records.append(StoredRecord(key, value))
    }

    private mutating func take(_ end: ArchiveEnd) throws(BehaviorArchive.Invalid) {
        let here = ArchiveEnd(
            rows: archive.rows.count,
            revisions: archive.revisions.count,
            documents: archive.documents.count,
            records: archive.records.count,
            hash: head.hash
        )
        guard end == here else { throw wrong("the archive isn't whole: lines are missing above") }
        isOver = true
    }

    private func noName(_ name: String, _ environment: String) -> BehaviorArchive.Invalid {
        wrong("\(name) in \(environment) is no name of a document")
    }
}

extension BehaviorArchive {
    /// Reads an archive's text.
    ///
    /// - Throws: ``Invalid``.
    package init(_ bytes: [UInt8]) throws(Invalid) {
        var parser = ArchiveParser()
        try parser.take(bytes)
        self = try parser.finish()
    }
}
