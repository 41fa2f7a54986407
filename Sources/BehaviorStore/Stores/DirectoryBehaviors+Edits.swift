import Behaviors
import System
import Digests
import Glibc
import JSONCodec
import Locking
import Logging

// Edits of the live files become revisions.

extension DirectoryBehaviors {
    /// Makes revisions of edited live files, and writes the outdated live files.
    func takeEdits() throws {
        // Without a change since the last look, no lock is taken.
        guard try hasChanges(), DurableFiles.exists(folder) else { return }
        try DurableFiles.makeFolder(folder + "/.history")
        try alone { takeEdits(&$0) }
    }

    private func hasChanges() throws -> Bool {
        let looks = looks.withLock { $0 }
        let isEdited = liveFiles().contains { key in
            looks[key] != DurableFiles.stamp(path(key)).map { Look(stamp: $0) }
        }
        // Evaluated first: it throws if the history is missing, so that no edit creates a new one.
        return try isUnwritten() || isEdited
    }

    private func liveFiles() -> [DocumentKey] {
        // A folder that can't be listed has no readable files: none is an edit, and none is
        // replaced.
        func names(in folder: String) -> [String] { (try? DurableFiles.names(in: folder)) ?? [] }
        return names(in: folder).flatMap { environment -> [DocumentKey] in
            if environment.hasSuffix(".json") { logStray(environment) }
            return names(in: "\(folder)/\(environment)").compactMap { name in
                guard name.hasSuffix(".json") else { return nil }
                let key = DocumentKey(String(name.dropLast(5)), in: environment)
                if key == nil { logStray("\(environment)/\(name)") }
                return key
            }
        }
    }

    /// The most misnamed files that are logged.
    private static let maximumStrays = 100

    /// Logs once that a JSON file's name makes it no document.
    private func logStray(_ name: String) {
        let isNews = strays.withLock { strays in
            strays.count < Self.maximumStrays && strays.insert(name).inserted
        }
        guard isNews else { return }
        logger.warning(
            """
            behaviors: \(JSON.string(name)) is ignored: a document is ENVIRONMENT/NAME.json, \
            where each name is \(DocumentKey.shape)
            """
        )
    }

    func takeEdits(_ history: inout DirectoryHistory) {
        var hasTaken = false
        for key in liveFiles() {
            guard let stamp = DurableFiles.stamp(path(key)) else { continue }
            let look = looks.withLock { $0[key] }
            guard look != Look(stamp: stamp) else { continue }
            // Noted first, whatever the result: an invalid edit is logged only once.
            looks.withLock { $0[key] = Look(stamp: stamp) }
            do {
                guard let edit = try edit(of: key, history) else { continue }
                try history.write(edit)
            } catch {
                let now = Look(stamp: stamp, isOpen: Self.mayPass(error))
                looks.withLock { $0[key] = now }
                guard look != now else { continue }
                logger.error("behaviors: the live revision is unchanged: \(path(key)): \(error)")
                continue
            }
            logger.info(
                "behaviors: \(path(key)) was edited: it is revision \(history.documents[key]?.latest ?? 0)"
            )
            hasTaken = true
        }
        if hasTaken { writeLive(&history) }
    }

    /// Whether an edit may be accepted later without another edit: after a change of permissions,
    /// of a full disk, or of an incomplete history.
    private static func mayPass(_ error: any Error) -> Bool {
        (error as? FileError).map { $0.code != EFBIG } ?? false
    }

    /// Returns the change that an edited live file makes; nil if the file is unchanged.
    ///
    /// - Throws: if the edit can't go live.
    private func edit(of key: DocumentKey, _ history: DirectoryHistory) throws -> BehaviorChange? {
        guard let bytes = try DurableFiles.read(path(key), limit: BehaviorDocument.maximumSize)
        else { return nil }
        let state = history.documents[key]
        let live = try state?.live.flatMap { try Self.revision($0, of: key, history) }
        guard live?.bytes != bytes else { return nil }
        // After a failed write of the live file, the previous revision's bytes are still there.
        if let before = history.unwritten[key], before.contains(Hexadecimal.sha256(bytes)) {
            return nil
        }
        let behavior = try DocumentCheck.check(bytes)
        guard state != nil || history.documents.count < StoreLimits.maximumDocumentCount
        else { throw StoreLimits.tooManyDocuments }
        var pending = try PendingChange(upon: history.head, at: now(), by: .editor)
        _ = try pending.add(
            NewRevision(key, bytes, behavior, message: ""),
            to: state,
            live: live?.info,
            isLive: true,
            as: .publish
        )
        return pending.change
    }
}
