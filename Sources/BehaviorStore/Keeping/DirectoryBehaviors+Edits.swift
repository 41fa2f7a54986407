import System
import Digests
import Glibc
import JSONCodec
import Locking
import Logging

// How edits of the live files become revisions.

extension DirectoryBehaviors {
    /// Makes edits of the live files revisions, and writes those that aren't written.
    func takeEdits() throws {
        // Where nothing has changed since the last look, no lock is taken.
        guard try hasNews(), DirectoryFiles.exists(folder) else { return }
        try DirectoryFiles.makeFolder(folder + "/.history")
        try alone { takeEdits(&$0) }
    }

    private func hasNews() throws -> Bool {
        let looks = looks.withLock { $0 }
        let isEdited = liveFiles().contains { key in
            looks[key] != DirectoryFiles.stamp(path(key)).map { Look(stamp: $0) }
        }
        // Asked first: where the history is away, nothing is made in its place, whatever was edited.
        return try isUnwritten() || isEdited
    }

    private func liveFiles() -> [DocumentKey] {
        // What can't be listed can't be read: it is neither an edit nor replaced.
        func names(in folder: String) -> [String] { (try? DirectoryFiles.names(in: folder)) ?? [] }
        return names(in: folder).flatMap { environment -> [DocumentKey] in
            if environment.hasSuffix(".json") { tellStray(environment) }
            return names(in: "\(folder)/\(environment)").compactMap { name in
                guard name.hasSuffix(".json") else { return nil }
                let key = DocumentKey(String(name.dropLast(5)), in: environment)
                if key == nil { tellStray("\(environment)/\(name)") }
                return key
            }
        }
    }

    /// The most files that are told to be no document's.
    private static let greatestStrays = 100

    /// Tells once of a file that looks like a document's, and is none by its name.
    private func tellStray(_ name: String) {
        let isNews = strays.withLock { strays in
            strays.count < Self.greatestStrays && strays.insert(name).inserted
        }
        guard isNews else { return }
        logger.warning(
            """
            behaviors: \(JSON.string(name)) is no document: those are ENVIRONMENT/NAME.json, \
            both of \(DocumentKey.shape)
            """
        )
    }

    func takeEdits(_ history: inout DirectoryHistory) {
        var hasTaken = false
        for key in liveFiles() {
            guard let stamp = DirectoryFiles.stamp(path(key)) else { continue }
            let look = looks.withLock { $0[key] }
            guard look != Look(stamp: stamp) else { continue }
            // Looked at once, whatever comes of it: what isn't valid isn't told again and again.
            looks.withLock { $0[key] = Look(stamp: stamp) }
            do {
                guard let edit = try edit(of: key, history) else { continue }
                try history.write(edit)
            } catch {
                let now = Look(stamp: stamp, isOpen: Self.mayPass(error))
                looks.withLock { $0[key] = now }
                guard look != now else { continue }
                logger.error("behaviors: what is live stays live: \(path(key)): \(error)")
                continue
            }
            logger.info(
                "behaviors: \(path(key)) was edited: it is revision \(history.documents[key]?.latest ?? 0)"
            )
            hasTaken = true
        }
        if hasTaken { writeLive(&history) }
    }

    /// Whether what keeps an edit from being taken may be over without another edit: who may read the file, a
    /// full disk, a part of the history that is on its way.
    private static func mayPass(_ error: any Error) -> Bool {
        (error as? FileError).map { $0.code != EFBIG } ?? false
    }

    /// The change that a live file's edit is; nil where it is none.
    ///
    /// - Throws: where it can't go live.
    private func edit(of key: DocumentKey, _ history: DirectoryHistory) throws -> BehaviorChange? {
        guard let bytes = try DirectoryFiles.read(path(key), limit: 1 << 20) else { return nil }
        let state = history.documents[key]
        let live = try state?.live.flatMap { try Self.revision($0, of: key, history) }
        guard live?.bytes != bytes else { return nil }
        // What was live before stands there until what is live can be written.
        if let before = history.unwritten[key], before.contains(Hexadecimal.sha256(bytes)) {
            return nil
        }
        let behavior = try DocumentCheck.check(bytes)
        guard state != nil || history.documents.count < BehaviorDocuments.greatestCount
        else { throw BehaviorDocuments.tooManyDocuments }
        var ledger = try Ledger(upon: history.head, at: now(), by: Self.editor)
        _ = try ledger.add(
            NewRevision(key, bytes, behavior, message: ""),
            to: state,
            live: live?.info,
            isLive: true,
            as: .publish
        )
        return ledger.change
    }
}
