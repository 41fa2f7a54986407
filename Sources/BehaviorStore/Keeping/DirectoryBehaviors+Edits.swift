import Locking
import Logging

// How edits of the live files become revisions.

extension DirectoryBehaviors {
    /// Makes edits of the live files revisions, and writes those that aren't written; returns whether there
    /// were edits.
    func takeEdits() throws -> Bool {
        // Where nothing has changed since the last look, no lock is taken.
        guard try hasNews() else { return false }
        try DirectoryFiles.makeFolder(folder + "/.history")
        return try alone { takeEdits(&$0) }
    }

    private func hasNews() throws -> Bool {
        let looks = looks.withLock { $0 }
        let isEdited = liveFiles().contains { key in
            looks[key] != DirectoryFiles.stamp(path(key)).map { Look(stamp: $0) }
        }
        return try isEdited || isUnwritten()
    }

    private func liveFiles() -> [DocumentKey] {
        DirectoryFiles.names(in: folder).filter(DocumentKey.isName).flatMap { environment in
            DirectoryFiles.names(in: "\(folder)/\(environment)").compactMap { name in
                guard name.hasSuffix(".json") else { return nil }
                return DocumentKey(String(name.dropLast(5)), in: environment)
            }
        }
    }

    func takeEdits(_ history: inout DirectoryHistory) -> Bool {
        var hasTaken = false
        for key in liveFiles() {
            guard let stamp = DirectoryFiles.stamp(path(key)) else { continue }
            let look = looks.withLock { $0[key] }
            guard look != Look(stamp: stamp) else { continue }
            // Looked at once, whatever comes of it: what isn't valid isn't told again and again.
            looks.withLock { $0[key] = Look(stamp: stamp) }
            do {
                guard let edit = try edit(of: key, history) else { continue }
                do {
                    try history.write(edit)
                } catch {
                    looks.withLock { $0[key] = Look(stamp: stamp, isOpen: true) }
                    guard look != Look(stamp: stamp, isOpen: true) else { continue }
                    throw error
                }
            } catch {
                logger.error("behaviors: what is live stays live: \(path(key)): \(error)")
                continue
            }
            logger.info(
                "behaviors: \(path(key)) was edited: it is revision \(history.documents[key]?.latest ?? 0)"
            )
            hasTaken = true
        }
        if hasTaken { writeLive(&history) }
        return hasTaken
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
        try DocumentCheck.check(bytes)
        guard state != nil || history.documents.count < BehaviorDocuments.greatestCount
        else { throw BehaviorDocuments.tooManyDocuments }
        var ledger = try Ledger(upon: history.head, at: now(), by: Self.editor)
        _ = try ledger.add(
            NewRevision(key, bytes, message: ""),
            to: state,
            live: live?.info,
            isLive: true,
            as: "publish"
        )
        return ledger.change
    }
}
