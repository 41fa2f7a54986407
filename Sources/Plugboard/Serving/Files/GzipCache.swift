import Gzip
import System
import Glibc
import HTTPSyntax
import HTTPServer
import Locking

/// A cache of files' gzip forms, shared by all loops.
final class GzipCache: Sendable {
    /// The sizes of files that are compressed: smaller ones gain little, larger ones take too long.
    static let sizes = 256...1024 * 1024

    /// The limit in bytes of all gzip forms.
    private let capacity: Int
    /// The limit of files, including those that compression doesn't shrink.
    private static let places = 1024
    /// The limit of concurrent compressions, each of which uses more than 1 MiB of memory.
    private static let workers = 2

    fileprivate struct Entry {
        let stamp: FileStamp
        /// Nil if the gzip form isn't smaller.
        let bytes: [UInt8]?
        var lastUse: Int
    }

    fileprivate struct State {
        var entries: [FileIdentity: Entry] = [:]
        var working: [FileIdentity] = []
        var size = 0
        var uses = 0
    }

    private let state = Locked(State())

    init(capacity: Int = 16 * 1024 * 1024) { self.capacity = capacity }

    enum Found: Equatable {
        case form([UInt8])
        /// The gzip form isn't smaller, or is being made.
        case none
        case unknown
    }

    /// Looks up a file's gzip form.
    func find(_ stamp: FileStamp) -> Found {
        guard Self.sizes.contains(stamp.size) else { return .none }
        let key = stamp.identity
        return state.withLock { state in
            guard var entry = state.entries[key], entry.stamp == stamp else {
                let isBusy = state.working.count >= Self.workers || state.working.contains(key)
                return isBusy ? .none : .unknown
            }
            state.uses += 1
            entry.lastUse = state.uses
            state.entries[key] = entry
            return entry.bytes.map { .form($0) } ?? .none
        }
    }

    /// Makes a file's gzip form on another thread: at 30 MB/s it would block a loop for 30 ms.
    ///
    /// Returns nil if the form isn't smaller, the file changes meanwhile, or the limit of workers
    /// is reached.
    func make(_ descriptor: FileDescriptor, _ stamp: FileStamp) async -> [UInt8]? {
        let key = stamp.identity
        let begins = state.withLock { state in
            guard state.working.count < Self.workers, !state.working.contains(key) else {
                return false
            }
            state.working.append(key)
            return true
        }
        guard begins else { return nil }
        // Detached, since the response's task runs on its loop.
        return await Task.detached { [self] in
            let content = Self.read(descriptor, stamp)
            let form = content.flatMap { content in
                content.withUnsafeBufferPointer { content in
                    // Copied to its exact size before it is cached.
                    Gzip.compress(content, .kept)?.withUnsafeBufferPointer { Array($0) }
                }
            }
            state.withLock { state in
                state.working.removeAll { $0 == key }
                if content != nil { state.insert(form, stamp, key, capacity, Self.places) }
            }
            return form
        }.value
    }

    /// Returns the file's bytes; nil if the file no longer matches the stamp.
    private static func read(_ descriptor: FileDescriptor, _ stamp: FileStamp) -> [UInt8]? {
        guard let bytes = descriptor.read(0..<stamp.size) else { return nil }
        var info = stat()
        guard fstat(descriptor.raw, &info) == 0, FileStamp(info) == stamp else { return nil }
        return bytes
    }
}

extension GzipCache.State {
    fileprivate mutating func insert(
        _ bytes: [UInt8]?,
        _ stamp: FileStamp,
        _ key: FileIdentity,
        _ capacity: Int,
        _ places: Int
    ) {
        remove(key)
        uses += 1
        entries[key] = GzipCache.Entry(stamp: stamp, bytes: bytes, lastUse: uses)
        size += bytes?.count ?? 0
        // Evicts the least recently used; scans all entries, but only once per compressed file.
        while size > capacity || entries.count > places,
            let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            remove(oldest.key)
        }
    }

    private mutating func remove(_ key: FileIdentity) {
        size -= entries.removeValue(forKey: key)?.bytes?.count ?? 0
    }
}
