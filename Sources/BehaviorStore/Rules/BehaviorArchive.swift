import JSONCodec

/// All that a store has but its audit, as one JSON text: what is exported and imported.
package struct BehaviorArchive: Codable, Sendable, Equatable {
    /// Tells it from other JSON.
    package var format = Self.formatName
    /// The documents of all environments.
    package var documents: [Document] = []
    /// What is kept beside them.
    package var records: [Record] = []

    static let formatName = "plugboard-behaviors-1"

    /// A document with all of its revisions.
    package struct Document: Codable, Sendable, Equatable {
        var name: String
        var environment: String
        var live: Int?
        var since: Int?
        var revisions: [Revision]
    }

    /// A revision with its bytes.
    package struct Revision: Codable, Sendable, Equatable {
        var number: Int
        var author: String
        var authorName: String
        var message: String
        var digest: String
        var created: Int
        var document: String
    }

    /// A draft's approvals, a schedule, an environment's rules.
    package struct Record: Codable, Sendable, Equatable {
        var kind: String
        var environment: String
        var name: String
        var item: String
        var value: String
    }

    init() {}

    /// Reads an archive's text.
    ///
    /// - Throws: ``BehaviorStoreError`` where it is none.
    package init(json bytes: [UInt8]) throws(BehaviorStoreError) {
        do {
            self = try JSON.decode(Self.self, from: bytes)
        } catch {
            throw .noJSON("\(error)")
        }
        guard format == Self.formatName else { throw .noJSON("it is no \(Self.formatName)") }
    }

    /// Its text.
    package func encoded() throws -> [UInt8] { try JSON.encode(self) }

    private static let kinds: [RecordKind] = [.draft, .schedule, .override, .rules, .segment]

    /// Reads all of a store.
    init(_ keeping: any BehaviorKeeping) async throws {
        for state in try await keeping.documents() {
            documents.append(try await Document(state, keeping))
        }
        for kind in Self.kinds {
            for record in try await keeping.records(kind, environment: nil, name: nil) {
                records.append(Record(record))
            }
        }
    }
}

extension BehaviorArchive.Document {
    fileprivate init(_ state: DocumentState, _ keeping: any BehaviorKeeping) async throws {
        self.init(
            name: state.key.name,
            environment: state.key.environment,
            live: state.live,
            since: state.since,
            revisions: []
        )
        for number in stride(from: 1, through: state.latest, by: 1) {
            guard let revision = try await keeping.revision(number, of: state.key) else {
                throw BehaviorStoreError.noRevision(number, state.key)
            }
            revisions.append(BehaviorArchive.Revision(revision))
        }
    }

    /// What is to be kept of it.
    ///
    /// - Throws: ``BehaviorStoreError`` where it can't be what was exported.
    fileprivate func kept() throws -> (DocumentState, [StoredRevision]) {
        guard let key = DocumentKey(name, in: environment) else {
            throw BehaviorStoreError.noName("\(name) in \(environment)")
        }
        let isWhole =
            !revisions.isEmpty && revisions.enumerated().allSatisfy { $1.number == $0 + 1 }
        guard isWhole, live.map({ (1...revisions.count).contains($0) }) ?? true else {
            throw BehaviorStoreError.conflict("the revisions of \(key) aren't whole")
        }
        let state = DocumentState(
            key: key,
            latest: revisions.count,
            live: live,
            since: live == nil ? nil : since ?? revisions.last?.created
        )
        return (state, try revisions.map { try $0.kept(key) })
    }
}

extension BehaviorArchive.Revision {
    fileprivate init(_ revision: StoredRevision) {
        let info = revision.info
        self.init(
            number: info.number,
            author: info.author,
            authorName: info.authorName,
            message: info.message,
            digest: info.digest,
            created: info.created,
            document: String(decoding: revision.bytes, as: UTF8.self)
        )
    }

    fileprivate func kept(_ key: DocumentKey) throws -> StoredRevision {
        let bytes = Array(document.utf8)
        guard Hexadecimal.sha256(bytes) == digest else {
            throw BehaviorStoreError.conflict(
                "revision \(number) of \(key) isn't what its digest says"
            )
        }
        try DocumentCheck.check(bytes)
        try DocumentCheck.check(message: message)
        let info = RevisionInfo(
            key: key,
            number: number,
            author: author,
            authorName: authorName,
            message: message,
            digest: digest,
            size: bytes.count,
            created: created
        )
        return StoredRevision(info: info, bytes: bytes)
    }
}

extension BehaviorArchive.Record {
    fileprivate init(_ record: StoredRecord) {
        self.init(
            kind: record.key.kind.rawValue,
            environment: record.key.environment,
            name: record.key.name,
            item: record.key.item,
            value: record.value
        )
    }
}

extension BehaviorDocuments {
    /// All that there is, but the audit.
    package func export() async throws -> BehaviorArchive { try await BehaviorArchive(keeping) }

    /// Keeps all that an archive has, or nothing: revisions have the numbers, authors and times that
    /// they had.
    ///
    /// - Returns: how many documents there were.
    /// - Throws: ``BehaviorStoreError``, a conflict where one of the documents is there already.
    package func load(_ archive: BehaviorArchive, by author: Author) async throws -> Int {
        let kept = try await Task.detached { try archive.documents.map { try $0.kept() } }.value
        return try await change(by: author) { [self] ledger in
            var known = Set(try await keeping.documents().map(\.key))
            for (state, revisions) in kept {
                guard known.insert(state.key).inserted else {
                    throw BehaviorStoreError.conflict("there is \(state.key) already")
                }
                ledger.load(revisions, state)
            }
            for record in archive.records {
                guard let kind = RecordKind(rawValue: record.kind) else { continue }
                ledger.set(
                    RecordKey(kind, record.environment, record.name, record.item),
                    record.value
                )
            }
            return kept.count
        }
    }
}
