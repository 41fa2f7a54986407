import Digests
import JSONCodec

/// Parses an archive's text, which comes in pieces of any size.
///
/// Each line is checked against the rules for requests, so that an accepted archive can be served.
package struct ArchiveParser {
    /// The longest line: a document of 1 MiB with each byte escaped.
    private static let maximumLine = 8 << 20

    private let bounds: ArchiveLimits
    /// The number of bytes read, those of the current line included.
    private var size = 0
    private var archive = BehaviorArchive()
    /// The current, incomplete line.
    private var rest: [UInt8] = []
    /// The number of lines read.
    private var count = 0
    private var head = AuditHead.none
    /// The indices of a document's revisions, in the order of their numbers.
    private var places: [DocumentKey: [Int]] = [:]
    private var keys: Set<DocumentKey> = []
    private var recordKeys: Set<RecordKey> = []
    /// The numbers of records by kind, per document or over all documents.
    private var counts: [RecordKey: Int] = [:]
    private var isOver = false

    package init(bounds: ArchiveLimits = ArchiveLimits()) { self.bounds = bounds }

    /// The number of rows read.
    var rowCount: Int { archive.rows.count }

    /// Returns a parsed revision without its bytes; nil if none has that number.
    func knownRevision(_ number: Int, of key: DocumentKey) -> RevisionInfo? {
        guard let places = places[key], number > 0, number <= places.count else { return nil }
        return archive.revisions[places[number - 1]].info
    }

    /// Reads a piece.
    ///
    /// - Throws: ``BehaviorArchive/Invalid`` with the number of the invalid line.
    package mutating func take(_ piece: [UInt8]) throws(BehaviorArchive.Invalid) {
        var piece = piece[...]
        while let end = piece.firstIndex(of: UInt8(ascii: "\n")) {
            try hold(piece[..<end])
            piece = piece[(end + 1)...]
            try takeLine()
        }
        try hold(piece)
    }

    /// Appends a part of the current line.
    private mutating func hold(_ part: ArraySlice<UInt8>) throws(BehaviorArchive.Invalid) {
        guard part.count <= Self.maximumLine - rest.count else {
            throw wrong("the line is longer than 8 MiB", at: 1)
        }
        size += part.count
        guard size <= bounds.bytes else {
            throw wrong("an archive has \(bounds.bytes) bytes at most", at: 1)
        }
        rest += part
    }

    /// Returns the archive after its last piece.
    ///
    /// - Throws: ``BehaviorArchive/Invalid`` if the archive is incomplete.
    package mutating func finish() throws(BehaviorArchive.Invalid) -> BehaviorArchive {
        if !rest.isEmpty { try takeLine() }
        guard isOver else { throw wrong("the archive is cut off here", at: 1) }
        return archive
    }

    /// Makes the error for the current line, or for the line that is `distance` lines later.
    private func wrong(_ reason: String, at distance: Int = 0) -> BehaviorArchive.Invalid {
        BehaviorArchive.Invalid(line: count + distance, reason: reason)
    }

    /// Makes the error for a place in the current line.
    private func wrong(_ error: JSONTypeError) -> BehaviorArchive.Invalid {
        BehaviorArchive.Invalid(line: count, pointer: error.pointer, reason: error.message)
    }

    private mutating func takeLine() throws(BehaviorArchive.Invalid) {
        count += 1
        defer { rest = [] }
        if count == 1 { return try takeFirstLine() }
        let line: ArchiveLine
        do {
            line = try JSON.decode(ArchiveLine.self, from: rest)
        } catch let error as JSONTypeError {
            throw wrong(error)
        } catch {
            throw wrong("\(error)")
        }
        guard !isOver else { throw wrong("there are lines after the archive's end") }
        switch (line.audit, line.revision, line.document, line.record, line.end) {
        case (let row?, nil, nil, nil, nil): try take(row)
        case (nil, let revision?, nil, nil, nil): try take(revision, line.text ?? "")
        case (nil, nil, let document?, nil, nil): try take(document)
        case (nil, nil, nil, let record?, nil): try take(record)
        case (nil, nil, nil, nil, let end?): try take(end)
        default: throw wrong("expected audit, revision, document, record or end")
        }
    }

    private func takeFirstLine() throws(BehaviorArchive.Invalid) {
        let line = try? JSON.decode(ArchiveLine.self, from: rest)
        guard line?.format == BehaviorArchive.format else {
            if let format = line?.format, format.hasPrefix(BehaviorArchive.formats) {
                throw wrong(
                    "the archive has the format \(format), and this version reads "
                        + "\(BehaviorArchive.format); import it with the version that wrote it"
                )
            }
            throw wrong(
                "not an archive, which begins with {\"format\":\"\(BehaviorArchive.format)\"}; convert "
                    + "flags of flagd and Unleash with `plugboard behaviors convert`"
            )
        }
    }

    private mutating func take(_ row: AuditRow) throws(BehaviorArchive.Invalid) {
        guard row.sequence == head.sequence + 1, row.previous == head.hash else {
            throw wrong("row \(row.sequence) doesn't follow row \(head.sequence)")
        }
        guard row.hash == row.computedHash else {
            throw wrong("row \(row.sequence) was edited: its hash doesn't match its content")
        }
        do throws(JSONTypeError) {
            try Self.check(row)
        } catch {
            throw wrong(error)
        }
        guard archive.rows.count < bounds.rows else {
            throw wrong("an archive has \(bounds.rows) rows of the audit at most")
        }
        head = AuditHead(row)
        archive.rows.append(row)
    }

    private mutating func take(
        _ info: RevisionInfo,
        _ text: String
    ) throws(BehaviorArchive.Invalid) {
        let known = places[info.key]?.count ?? 0
        guard info.number == known + 1 else {
            throw wrong(
                "revision \(info.number) of \(info.key) doesn't follow revision \(known)"
            )
        }
        let bytes = Array(text.utf8)
        guard Hexadecimal.sha256(bytes) == info.digest, bytes.count == info.size else {
            throw wrong("revision \(info.number) of \(info.key) doesn't match its digest")
        }
        do throws(BehaviorStoreError) {
            try DocumentCheck.check(bytes)
            try DocumentCheck.check(message: info.message)
        } catch {
            throw wrong("revision \(info.number) of \(info.key): \(error)")
        }
        do throws(JSONTypeError) {
            try StoredTextLimits.check(line: info.author, at: "/revision/author")
            try StoredTextLimits.check(line: info.authorName, at: "/revision/authorName")
            try StoredTextLimits.check(time: info.created, at: "/revision/created")
        } catch {
            throw wrong(error)
        }
        places[info.key, default: []].append(archive.revisions.count)
        archive.revisions.append(StoredRevision(info: info, bytes: bytes))
    }

    private mutating func take(_ state: DocumentState) throws(BehaviorArchive.Invalid) {
        guard keys.insert(state.key).inserted else { throw wrong("\(state.key) appears twice") }
        guard keys.count <= bounds.documents else {
            throw wrong("a store has \(bounds.documents) documents at most")
        }
        if let since = state.since {
            do throws(JSONTypeError) {
                try StoredTextLimits.check(time: since, at: "/document/since")
            } catch {
                throw wrong(error)
            }
        }
        archive.documents.append(state)
    }

    private mutating func take(_ form: RecordForm) throws(BehaviorArchive.Invalid) {
        guard let key = form.key, let value = form.value else {
            throw wrong("the record has the unknown kind \(form.kind) or no value")
        }
        guard recordKeys.insert(key).inserted else {
            throw wrong("\(key): the record appears twice")
        }
        let record = StoredRecord(key, value)
        do throws(JSONTypeError) {
            try check(record)
        } catch {
            throw wrong(error)
        }
        try count(key)
        archive.records.append(record)
    }

    /// Checks the limits of a store for the records of that kind.
    private mutating func count(_ key: RecordKey) throws(BehaviorArchive.Invalid) {
        func counted(_ key: RecordKey) -> Int {
            counts[key, default: 0] += 1
            return counts[key, default: 0]
        }
        switch key.kind {
        case .override:
            guard counted(RecordKey(.override, "", "")) <= bounds.overrides else {
                throw wrong("a store has overrides of \(bounds.overrides) documents at most")
            }
        case .rules:
            guard counted(RecordKey(.rules, "", "")) <= bounds.rules else {
                throw wrong("a store has rules of \(bounds.rules) environments at most")
            }
        case .schedule:
            guard
                counted(RecordKey(.schedule, key.environment, key.name)) <= bounds.schedules
            else { throw wrong("a document has \(bounds.schedules) schedules at most") }
        case .draft, .origin, .basis: break
        }
    }

    private mutating func take(_ end: ArchiveEnd) throws(BehaviorArchive.Invalid) {
        let here = ArchiveEnd(
            rows: archive.rows.count,
            revisions: archive.revisions.count,
            documents: archive.documents.count,
            records: archive.records.count,
            hash: head.hash
        )
        guard end == here else { throw wrong("the archive is incomplete: lines are missing above") }
        isOver = true
    }
}

extension BehaviorArchive {
    /// Parses an archive's text.
    ///
    /// - Throws: ``Invalid``.
    package init(_ bytes: [UInt8]) throws(Invalid) {
        var parser = ArchiveParser()
        try parser.take(bytes)
        self = try parser.finish()
    }
}
