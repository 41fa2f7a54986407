import JSONCodec

/// The stored state of a client: the crash guard and the list of documents.
struct StoredState: Hashable, Sendable, Codable {
    var crashGuard = CrashGuard()
    var documents = StoredDocuments()
}

/// The open files of a storage.
final class StorageFiles {
    /// The largest state that is read, far more than the limits of its lists allow.
    private static let maximumState = 256 << 10

    private let folder: String
    private let mark: MarkFile

    /// Opens the files and creates what is missing.
    init(_ storage: BehaviorStorage) throws(StorageError) {
        folder = storage.folder
        try PlatformFiles.makeFolder(folder)
        mark = try MarkFile(folder + "/mark", synchronizes: storage.durability == .system)
    }

    /// The mark of the previous run; nil without a valid one.
    var foundMark: RunMark? { mark.found }

    func write(_ mark: RunMark) -> Bool { self.mark.write(mark) }

    /// Returns the state; an empty one if the file is missing or damaged.
    func readState() -> StoredState {
        guard let file = PlatformFiles.read(folder + "/state", limit: Self.maximumState),
            let bytes = CheckedBytes.read(file[...])?.bytes,
            let state = try? JSON.decode(StoredState.self, from: bytes)
        else { return StoredState() }
        return state
    }

    func write(_ state: StoredState) throws(StorageError) {
        guard let bytes = try? JSON.encode(state) else {
            throw StorageError(description: "\(folder)/state: the state can't be encoded")
        }
        try PlatformFiles.replace(folder + "/state", with: CheckedBytes.record(bytes))
    }

    /// Returns a document's bytes; nil if the file is missing or has other bytes.
    func readDocument(_ entry: StoredDocuments.Entry, limit: Int) -> [UInt8]? {
        guard let bytes = PlatformFiles.read(path(entry.file), limit: limit),
            ContentHash.text(of: bytes) == entry.revision
        else { return nil }
        return bytes
    }

    func writeDocument(_ bytes: [UInt8], file: Int) throws(StorageError) {
        try PlatformFiles.replace(path(file), with: bytes)
    }

    private func path(_ file: Int) -> String { "\(folder)/document-\(file).json" }
}
