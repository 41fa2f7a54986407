public import GRDB
import Glibc
import Locking
import System

/// The database of a data folder: one SQLite file, and one pool of connections per process.
///
/// Each user has a ``Schema``. The first access opens the file; the first write creates it. A write
/// is on disk when it returns, and writes that wait together share a sync. A file that was moved or
/// unmounted counts as unavailable, not as missing: until it is back, nothing is read and no new
/// file is created. A file with a migration that this version doesn't know is rejected and stays
/// unchanged.
public final class Storage: Sendable {
    /// The default name of the file in the folder.
    public static let fileName = "plugboard.sqlite"

    /// The folder's path as given.
    public let folder: String
    /// The file's path.
    public let path: String
    /// The limits of its writes.
    let limits: WriteLimits
    /// The writes that wait for the writer's thread.
    let writes: WriteQueue
    private let opened = Locked<Opened?>(nil)

    struct Opened {
        let pool: DatabasePool
        /// The observer of the pool's writer.
        let commits: CommitObserver
        /// The connection for callers that block their thread.
        ///
        /// A pooled connection is released only when a task continues. That may need the very
        /// thread that waits for the connection.
        let queue: DatabaseQueue
        let file: FileIdentity
        var schemas: Set<String> = []
    }

    private init(folder: String, path: String, _ limits: WriteLimits) {
        self.folder = folder
        self.path = path
        self.limits = limits
        writes = WriteQueue(maximumCount: limits.waiting)
    }

    deinit { writes.close() }

    // MARK: One for each folder

    private struct Weak { weak var storage: Storage? }

    private static let storages = Locked<[String: Weak]>([:])

    /// Returns the storage of a folder, one shared object per path while it is in use.
    public static func of(_ folder: String, file name: String = fileName) -> Storage {
        of(folder, file: name, WriteLimits())
    }

    /// Returns the same with limits, which hold for a new object.
    package static func of(
        _ folder: String,
        file name: String = fileName,
        _ limits: WriteLimits
    ) -> Storage {
        let path = folder + "/" + name
        return storages.withLock { storages in
            if let storage = storages[path]?.storage { return storage }
            let storage = Storage(folder: folder, path: path, limits)
            storages = storages.filter { $0.value.storage != nil }
            storages[path] = Weak(storage: storage)
            return storage
        }
    }

    // MARK: Looking

    /// Whether the file exists.
    public var exists: Bool { access(path, F_OK) == 0 }

    /// The reason why the file is unavailable; nil if it is usable or never existed.
    package var loss: String? {
        if let problem = accessProblem { return problem }
        guard !exists, opened.withLock({ $0 != nil }) else { return nil }
        // Another process may have created it in between.
        return exists ? nil : "\(path) is unavailable"
    }

    /// The reason why the process can't open the file or its log; nil if it can.
    private var accessProblem: String? {
        for suffix in ["", "-wal", "-shm"] {
            if let problem = FileAccess.problem(of: path + suffix) { return problem }
        }
        return nil
    }

    /// Returns whether the file exists; false if it never existed.
    ///
    /// - Throws: ``StorageError`` if the file is unavailable.
    package func isThere() throws(StorageError) -> Bool {
        if let loss { throw StorageError(folder, loss) }
        return exists
    }

    /// Checks that the folder is usable or can be created, and that the file's migrations are
    /// known.
    ///
    /// It writes nothing. A locked file is checked when it is opened.
    ///
    /// - Throws: ``StorageError`` with the reason.
    public func check(_ schemas: Schema...) throws(StorageError) { try check(schemas) }

    /// Checks the same for a list of schemas.
    public func check(_ schemas: [Schema]) throws(StorageError) {
        try checkPlace()
        do throws(StorageError) {
            try checkMigrations(schemas)
        } catch {
            if !error.isBusy { throw error }
        }
    }

    private func checkMigrations(_ schemas: [Schema]) throws(StorageError) {
        guard exists, !schemas.isEmpty else { return }
        let unknown: String?
        do {
            unknown = try Schema.unknownMigration(in: path, schemas)
        } catch {
            throw failure(error)
        }
        if let unknown { throw StorageError(folder, Self.reason(unknown, in: path)) }
    }

    /// Returns the reason for rejecting a file with an unknown migration.
    static func reason(_ unknown: String, in path: String) -> String {
        "\(path) has the migration \"\(unknown)\", which this version doesn't know; start the "
            + "version that wrote it, or choose another folder"
    }

    /// Returns the folder's error for a library error.
    func failure(_ error: any Error) -> StorageError {
        (error as? DatabaseError).flatMap { StorageError(folder, $0) }
            ?? StorageError(folder, "\(error)")
    }

    func checkPlace() throws(StorageError) {
        func fail(_ reason: String) -> StorageError { StorageError(folder, reason) }
        var info = stat()
        var place = folder
        while stat(place, &info) != 0 {
            guard errno == ENOENT else { throw fail(Self.reason("\(place): ")) }
            place = Paths.parent(of: place)
        }
        guard info.st_mode & S_IFMT == S_IFDIR else { throw fail("\(place) is not a folder") }
        if let problem = FileAccess.problem(ofFolder: place) { throw fail(problem) }
        guard stat(path, &info) == 0 else { return }
        guard info.st_mode & S_IFMT == S_IFREG else { throw fail("\(path) is not a file") }
        if let problem = accessProblem { throw fail(problem) }
    }

    private static func reason(_ place: String) -> String {
        place + String(cString: strerror(errno))
    }

    // MARK: Reading and writing

    /// Reads on one of the database's threads; returns nil if the file never existed.
    ///
    /// - Throws: ``StorageError`` if the file can't be read, or the error of `body`.
    public func read<Value: Sendable>(
        _ schema: Schema,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value? {
        guard try isThere() else { return nil }
        do {
            return try await pool(for: schema).read(body)
        } catch {
            throw meaning(of: error)
        }
    }

    /// Reads like ``read(_:_:)``, but blocks the calling thread.
    public func readNow<Value: Sendable>(
        _ schema: Schema,
        _ body: (Database) throws -> Value
    ) throws -> Value? {
        guard try isThere() else { return nil }
        do {
            return try (ready(schema) ?? open(schema)).queue.read(body)
        } catch {
            throw meaning(of: error)
        }
    }

    /// Converts a library error to the folder's error, if it is about the file.
    func meaning(of error: any Error) -> any Error {
        (error as? DatabaseError).flatMap { StorageError(folder, $0) } ?? error
    }

    private func pool(for schema: Schema) async throws -> DatabasePool {
        if let opened = ready(schema) { return opened.pool }
        // Detached, because it blocks its thread, which must not be an event loop's.
        return try await Task.detached { [self] in try open(schema).pool }.value
    }

    /// Returns the open database if it has the schema and its file is still in place.
    func ready(_ schema: Schema) -> Opened? {
        let file = FileIdentity(path)
        return opened.withLock { opened in
            guard let opened, opened.file == file, opened.schemas.contains(schema.name) else {
                return nil
            }
            return opened
        }
    }

    /// The number of the writer's commits since it opened the file.
    var commitCount: Int { opened.withLock { $0?.commits.count } ?? 0 }

    // MARK: Opening

    /// Opens the file and creates the schema's tables, each if necessary.
    func open(_ schema: Schema) throws(StorageError) -> Opened {
        do {
            return try opened.withLock { opened in
                // Writes to a moved file would be lost. A new file in its place is opened; without
                // one, the moved file may come back.
                if let known = opened, known.file != FileIdentity(path) {
                    guard exists else { throw StorageError(folder, "\(path) is unavailable") }
                    opened = nil
                }
                if opened?.schemas.contains(schema.name) != true { try checkMigrations([schema]) }
                var current = try opened ?? openFile()
                if !current.schemas.contains(schema.name) {
                    try FileLock.hold(folder) { try schema.make(in: path) }
                    current.schemas.insert(schema.name)
                }
                opened = current
                return current
            }
        } catch let error as StorageError {
            throw error
        } catch {
            // The folder's state is more informative than the library's error.
            try checkPlace()
            throw failure(error)
        }
    }

    private func openFile() throws -> Opened {
        // The folder has the callers' tokens and the application's data.
        try Folders.make(folder, mode: 0o700)
        // SQLite fails one of two processes that create a database at the same moment.
        return try FileLock.hold(folder) {
            // Only the owner can read it; SQLite's files beside it get the same mode.
            // As root, SQLite gives them the same owner, too.
            let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
            let descriptor = Glibc.open(path, flags, 0o600)
            if descriptor >= 0 {
                FileAccess.inherit(from: folder, to: descriptor)
                close(descriptor)
            }
            var configuration = GRDB.Configuration()
            configuration.busyMode = .timeout(5)
            configuration.maximumReaderCount = 4
            configuration.label = "storage"
            let pool = try DatabasePool(path: path, configuration: configuration)
            // A pool's default is NORMAL, which may lose confirmed writes in a power failure.
            let commits = CommitObserver()
            try pool.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = FULL")
                database.add(transactionObserver: commits, extent: .databaseLifetime)
            }
            guard let file = FileIdentity(path) else {
                throw StorageError(folder, "\(path) was removed")
            }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            return Opened(pool: pool, commits: commits, queue: queue, file: file)
        }
    }
}
