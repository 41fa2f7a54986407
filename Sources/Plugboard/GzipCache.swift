import Gzip
import System
import Glibc
import HTTPSyntax
import HTTPServer
import Locking

/// Files' gzip-coded forms, made once for all loops and kept as long as there is room.
final class GzipCache: Sendable {
    /// The sizes of files that are compressed: of less little is to be had, more takes too long.
    static let sizes = 256...1024 * 1024

    /// The bytes of all forms.
    private let capacity: Int
    /// The number of files, those that aren't worth it included.
    private static let places = 1024
    /// The files that are being compressed at a time, each in a MiB and more of memory.
    private static let workers = 2

    fileprivate struct Entry {
        let stamp: FileStamp
        /// nil where the form isn't smaller.
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
        /// As it is it is as small, or its form is being made.
        case none
        case unknown
    }

    /// Looks for a file's form.
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

    /// Makes a file's form, beside the loops: at 30 MB/s it would hold one for 30 ms.
    ///
    /// nil where the form isn't smaller, the file changes meanwhile, or others are at work.
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
        // Not a child of the answer's task, which runs on its loop.
        return await Task.detached { [self] in
            let content = Self.read(descriptor, stamp)
            let form = content.flatMap { content in
                content.withUnsafeBufferPointer { content in
                    // What is kept takes the room that it needs.
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

    /// The file's bytes; nil if it isn't any more what the stamp says.
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
        // What was not asked for the longest goes; a scan, once for each file that is compressed.
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
