import Locking
import Logging

// How edits of the live files become revisions.

extension DirectoryBehaviors {
    /// Makes edits of the live files revisions; returns whether there were some.
    func takeEdits() throws -> Bool {
        // Where nothing has changed since the last look, no lock is taken.
        let seen = seen.withLock { $0 }
        guard liveFiles().contains(where: { seen[$0] != DirectoryFiles.stamp(path($0)) }) else {
            return false
        }
        try DirectoryFiles.makeFolder(folder + "/.history")
        return try alone { try takeEdits(&$0) }
    }

    private func liveFiles() -> [DocumentKey] {
        DirectoryFiles.names(in: folder).filter(DocumentKey.isName).flatMap { environment in
            DirectoryFiles.names(in: "\(folder)/\(environment)").compactMap { name in
                guard name.hasSuffix(".json") else { return nil }
                return DocumentKey(String(name.dropLast(5)), in: environment)
            }
        }
    }

    func takeEdits(_ history: inout DirectoryHistory) throws -> Bool {
        var hasTaken = false
        for key in liveFiles() {
            let path = path(key)
            let stamp = DirectoryFiles.stamp(path)
            guard seen.withLock({ $0[key] }) != stamp else { continue }
            // Looked at once, whatever comes of it: what isn't valid isn't told again and again.
            seen.withLock { $0[key] = stamp }
            do {
                guard let bytes = try DirectoryFiles.read(path, limit: 1 << 20) else { continue }
                let state = history.documents[key]
                let live = try state?.live.flatMap { try Self.revision($0, of: key, history) }
                guard live?.bytes != bytes else { continue }
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
                try history.write(ledger.change)
            } catch {
                logger.error("behaviors: what is live stays live: \(path): \(error)")
                continue
            }
            try DirectoryFiles.replace(writtenPath, with: Array("\(history.head.sequence)\n".utf8))
            logger.info(
                "behaviors: \(path) was edited: it is revision \(history.documents[key]?.latest ?? 0)"
            )
            hasTaken = true
        }
        return hasTaken
    }
}
