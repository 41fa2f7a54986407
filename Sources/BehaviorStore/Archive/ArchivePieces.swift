import JSONCodec

/// The pieces of a store's archive, each of whole lines; rows and revisions are read on demand.
package struct ArchivePieces: AsyncSequence, Sendable {
    package typealias Element = [UInt8]
    private static let page = 500
    /// A piece of documents and records ends after this many bytes: 64 KiB.
    private static let maximumPiece = 64 << 10

    private let kept: StoreSnapshot
    private let backend: any StoredBehaviors

    init(_ kept: StoreSnapshot, _ backend: any StoredBehaviors) {
        self.kept = kept
        self.backend = backend
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(kept, backend) }

    package struct AsyncIterator: AsyncIteratorProtocol {
        private let kept: StoreSnapshot
        private let backend: any StoredBehaviors
        private var stage = Stage.start
        private var rows = 0
        private var revisions = 0

        private enum Stage {
            case start
            /// The audit rows after that place.
            case rows(after: Int)
            /// The revision of that number, of the document at that index.
            case revision(Int, document: Int)
            /// The document or record at that index of the two lists joined; then the end.
            case kept(Int)
            case over
        }

        fileprivate init(_ kept: StoreSnapshot, _ backend: any StoredBehaviors) {
            self.kept = kept
            self.backend = backend
        }

        package mutating func next() async throws -> [UInt8]? {
            switch stage {
            case .start:
                stage = .rows(after: 0)
                return try Self.text([ArchiveLine(format: BehaviorArchive.format)])
            case .rows(let place):
                let page = try await backend.audit(after: place, limit: ArchivePieces.page)
                    .filter { $0.sequence <= kept.head.sequence }
                guard let last = page.last else {
                    stage = .revision(1, document: 0)
                    return try await next()
                }
                stage = .rows(after: last.sequence)
                rows += page.count
                return try Self.text(page.map { ArchiveLine(audit: $0) })
            case .revision(let number, let place):
                guard place < kept.documents.count else {
                    stage = .kept(0)
                    return try await next()
                }
                let document = kept.documents[place]
                guard number <= document.latest else {
                    stage = .revision(1, document: place + 1)
                    return try await next()
                }
                // Checked here, since an archive with a damaged revision can't be imported.
                let revision = try await backend.wholeRevision(number, of: document.key)
                stage = .revision(number + 1, document: place)
                revisions += 1
                let text = String(decoding: revision.bytes, as: UTF8.self)
                return try Self.text([
                    ArchiveLine(revision: revision.info, text: text)
                ])
            case .kept(let place): return try keptPiece(from: place)
            case .over: return nil
            }
        }

        /// Returns documents and records from an index on, up to a piece's size, and the end.
        private mutating func keptPiece(from first: Int) throws -> [UInt8] {
            var text: [UInt8] = []
            var place = first
            while let line = keptLine(place) {
                text += try Self.text([line])
                place += 1
                guard text.count < ArchivePieces.maximumPiece else {
                    stage = .kept(place)
                    return text
                }
            }
            stage = .over
            return try text + Self.text([ArchiveLine(end: end)])
        }

        private func keptLine(_ place: Int) -> ArchiveLine? {
            if place < kept.documents.count {
                return ArchiveLine(document: kept.documents[place])
            }
            let place = place - kept.documents.count
            guard place < kept.records.count else { return nil }
            let record = kept.records[place]
            return ArchiveLine(record: RecordForm(record.key, record.value))
        }

        private var end: ArchiveEnd {
            ArchiveEnd(
                rows: rows,
                revisions: revisions,
                documents: kept.documents.count,
                records: kept.records.count,
                hash: kept.head.hash
            )
        }

        private static func text(_ lines: [ArchiveLine]) throws -> [UInt8] {
            var text: [UInt8] = []
            for line in lines { text += try JSON.encode(line) + [UInt8(ascii: "\n")] }
            return text
        }
    }
}
