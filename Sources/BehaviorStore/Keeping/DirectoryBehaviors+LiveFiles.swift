import Files
import Glibc
import JSONCodec
import Locking
import Logging

// How the live files come to be what the changes say, whoever edits them meanwhile and whatever ends the
// process.

extension DirectoryBehaviors {
    var writtenPath: String { folder + "/.history/written" }

    func path(_ key: DocumentKey) -> String {
        "\(folder)/\(key.environment)/\(key.name).json"
    }

    /// Writes the live files of documents, and that it is done; what `mayReplace` doesn't know of is an
    /// edit, which stays and is taken by who looks next.
    func writeLive(
        _ keys: [DocumentKey],
        _ history: DirectoryHistory,
        where mayReplace: (DocumentKey, FileStamp) throws -> Bool
    ) throws {
        for key in keys {
            guard let live = history.documents[key]?.live,
                let revision = try Self.revision(live, of: key, history)
            else { continue }
            let path = path(key)
            let stamp = DirectoryFiles.stamp(path)
            if try stamp.map({ try mayReplace(key, $0) }) ?? true,
                try DirectoryFiles.replace(path, at: stamp, with: revision.bytes)
            {
                // It is looked at once more: it may have been edited since.
                seen.withLock { $0[key] = nil }
            } else {
                logger.notice("behaviors: \(path) was edited as revision \(live) went live")
            }
        }
        try DirectoryFiles.replace(writtenPath, with: Array("\(history.head.sequence)\n".utf8))
    }

    /// Up to which row's change the live files are written.
    func written() throws -> Int {
        let text = try DirectoryFiles.read(writtenPath).map { String(decoding: $0, as: UTF8.self) }
        return text.flatMap { Int($0.prefix { $0 != "\n" }) } ?? 0
    }

    /// Does what a process that was killed has left undone: of the changes whose live files weren't
    /// written, it writes them.
    func finish(_ history: DirectoryHistory) throws {
        let written = try written()
        guard written < history.head.sequence else { return }
        let changes = try history.files.filter { $0 > written }.compactMap(history.change)
        let keys = Set(changes.flatMap { $0.documents.compactMap { $0.state?.key } })
        let digests = Self.digests(of: changes)
        for key in keys { try putBack(key, unlessOf: digests[key] ?? []) }
        try writeLive(keys.sorted(), history) { key, _ in
            guard let bytes = try DirectoryFiles.read(path(key)) else { return true }
            return digests[key]?.contains(Hexadecimal.sha256(bytes)) ?? false
        }
    }

    /// Puts an edit back into its place that was taken out of it, and was to be put back as the process was
    /// killed: what is none of the store's own bytes, and a document.
    private func putBack(_ key: DocumentKey, unlessOf digests: Set<String>) throws {
        let path = path(key)
        let other = WrittenFile.path(beside: path)
        guard let bytes = try? DirectoryFiles.read(other, limit: 1 << 20),
            !digests.contains(Hexadecimal.sha256(bytes)),
            (try? DocumentCheck.check(bytes)) != nil
        else { return }
        // An edit that has come to its place since is the newer one.
        let here = try DirectoryFiles.read(path)
        guard here.map({ digests.contains(Hexadecimal.sha256($0)) }) ?? true else { return }
        guard rename(other, path) == 0 else { throw DirectoryFiles.Failure(path) }
    }

    /// Of which bytes documents may be where changes are half done: what was live before, and what is.
    private static func digests(of changes: [DirectoryChange]) -> [DocumentKey: Set<String>] {
        var digests: [DocumentKey: Set<String>] = [:]
        for row in changes.flatMap(\.audit) {
            guard let key = DocumentKey(row.name, in: row.environment) else { continue }
            for text in [row.before, row.after].compactMap(\.self) {
                let said = try? JSON.decode(AuditedRevision.self, from: text.utf8)
                if let said, said.live { digests[key, default: []].insert(said.digest) }
            }
        }
        return digests
    }
}
