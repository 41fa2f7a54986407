package import GRDB
import Glibc
import Locking
import System

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The database of a data folder: one SQLite file, and one pool of connections to it in a process.
///
/// Each user of it has a ``Schema``. The file is opened with the first read or write, and made with the
/// first write. A write is on the disk when it returns. A file that was moved or unmounted counts as
/// unavailable, not as missing: until a file is there again, nothing is read and none is made.
/// A file with a migration that this version doesn't know is rejected, and nothing is written to it.
package final class Storage: Sendable {
    /// The usual name of the file within the folder.
    package static let fileName = "plugboard.sqlite"

    /// The folder, as it was named.
    package let folder: String
    /// The file.
    package let path: String
    private let opened = Locked<Opened?>(nil)

    private struct Opened {
        let pool: DatabasePool
        /// The connection of those who hold their thread up.
        ///
        /// One of the pool's comes back when a task goes on, which may be on the very thread that
        /// waits for it.
        let queue: DatabaseQueue
        let file: FileIdentity
        var schemas: Set<String> = []
    }

    private init(folder: String, path: String) {
        self.folder = folder
        self.path = path
    }

    // MARK: One for each folder

    private struct Weak { weak var storage: Storage? }

    private static let storages = Locked<[String: Weak]>([:])

    /// The storage of a folder: the same object for the same path while it is in use.
    package static func of(_ folder: String, file name: String = fileName) -> Storage {
        let path = folder + "/" + name
        return storages.withLock { storages in
            if let storage = storages[path]?.storage { return storage }
            let storage = Storage(folder: folder, path: path)
            storages = storages.filter { $0.value.storage != nil }
            storages[path] = Weak(storage: storage)
            return storage
        }
    }

    // MARK: Looking

    /// Whether there is a file.
    package var exists: Bool { access(path, F_OK) == 0 }

    /// Why what was read or written before can't be now; nil where the file is there, or never was.
    package var loss: String? {
        guard !exists, opened.withLock({ $0 != nil }) else { return nil }
        // Somebody may have made it in between.
        return exists ? nil : "\(path) is away"
    }

    /// Whether there is a file; false where there never was one.
    ///
    /// - Throws: ``StorageError`` where it is away.
    package func isThere() throws(StorageError) -> Bool {
        if let loss { throw StorageError(folder, loss) }
        return exists
    }

    /// Checks that the folder can be used, or made, and that the file has no migration of another version.
    ///
    /// Nothing is written. A file that is locked is checked when it is opened.
    ///
    /// - Throws: ``StorageError`` with the reason.
    package func check(_ schemas: Schema...) throws(StorageError) {
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
        guard let unknown else { return }
        throw StorageError(
            folder,
            "\(path) has the migration \"\(unknown)\", which this version doesn't know; start the "
                + "version that wrote it, or choose another folder"
        )
    }

    /// The folder's error for one of the library's.
    private func failure(_ error: any Error) -> StorageError {
        (error as? DatabaseError).flatMap { StorageError(folder, $0) }
            ?? StorageError(folder, "\(error)")
    }

    private func checkPlace() throws(StorageError) {
        func fail(_ reason: String) -> StorageError { StorageError(folder, reason) }
        var info = stat()
        var place = folder
        while stat(place, &info) != 0 {
            guard errno == ENOENT else { throw fail(Self.reason("\(place): ")) }
            place = Paths.parent(of: place)
        }
        guard info.st_mode & S_IFMT == S_IFDIR else { throw fail("\(place) is no folder") }
        guard access(place, W_OK | X_OK) == 0 else { throw fail(Self.reason("\(place): ")) }
        guard stat(path, &info) == 0 else { return }
        guard info.st_mode & S_IFMT == S_IFREG else { throw fail("\(path) is no file") }
        guard access(path, R_OK | W_OK) == 0 else { throw fail(Self.reason("\(path): ")) }
    }

    private static func reason(_ place: String) -> String {
        place + String(cString: strerror(errno))
    }

    // MARK: Reading and writing

    /// Reads, on a thread of the database's own; nil, and nothing made, where there never was a file.
    ///
    /// - Throws: ``StorageError`` where the file can't be read, and what `body` throws.
    package func read<Value: Sendable>(
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

    /// Reads as ``read(_:_:)`` does, and holds the calling thread up meanwhile.
    package func readNow<Value: Sendable>(
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

    /// Writes in a transaction, which is on the disk when this returns; makes folder and file where
    /// they are missing.
    ///
    /// - Throws: ``StorageError`` where the file can't be written, and what `body` throws.
    package func write<Value: Sendable>(
        _ schema: Schema,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        do {
            return try await pool(for: schema).write(body)
        } catch {
            throw meaning(of: error)
        }
    }

    /// What an error is for those who know nothing of the library: one of the folder's, where it is one.
    private func meaning(of error: any Error) -> any Error {
        (error as? DatabaseError).flatMap { StorageError(folder, $0) } ?? error
    }

    private func pool(for schema: Schema) async throws -> DatabasePool {
        if let opened = ready(schema) { return opened.pool }
        // Detached: it blocks its thread, which mustn't be an event loop's.
        return try await Task.detached { [self] in try open(schema).pool }.value
    }

    /// What is open, if it has the schema, and its file is the one that is there.
    private func ready(_ schema: Schema) -> Opened? {
        let file = FileIdentity(path)
        return opened.withLock { opened in
            guard let opened, opened.file == file, opened.schemas.contains(schema.name) else {
                return nil
            }
            return opened
        }
    }

    // MARK: Opening

    /// Opens the file, unless it is open, and makes the schema's tables, unless they are there.
    private func open(_ schema: Schema) throws(StorageError) -> Opened {
        do {
            return try opened.withLock { opened in
                // A file that was taken away is written to by nobody who knows. Another one that has
                // taken its place is; where none has, whoever took it may bring it back.
                if let known = opened, known.file != FileIdentity(path) {
                    guard exists else { throw StorageError(folder, "\(path) is away") }
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
            // What can be told of the folder says more than the library's error.
            try checkPlace()
            throw failure(error)
        }
    }

    private func openFile() throws -> Opened {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // Of two processes that make a database at the same moment, SQLite lets one fail.
        return try FileLock.hold(folder) {
            // Nobody else's to read; what SQLite lays beside it has the same mode.
            let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            if descriptor >= 0 { close(descriptor) }
            var configuration = GRDB.Configuration()
            configuration.busyMode = .timeout(5)
            configuration.maximumReaderCount = 4
            configuration.label = "storage"
            let pool = try DatabasePool(path: path, configuration: configuration)
            // A pool begins with NORMAL, which may lose what was answered when the power goes.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            guard let file = FileIdentity(path) else {
                throw StorageError(folder, "\(path) was taken away")
            }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            return Opened(pool: pool, queue: queue, file: file)
        }
    }
}
