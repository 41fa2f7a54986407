import CLinux
import Glibc

/// Atomic, durable replacement of files.
package enum DurableFiles {
    /// Returns a regular file's stamp, which distinguishes its states; nil if it doesn't exist.
    package static func stamp(_ path: String) -> FileStamp? {
        var info = stat()
        guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
        return FileStamp(info)
    }

    /// Whether a path exists, a folder or a file.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Returns the sorted names in a folder without hidden ones; none if the folder doesn't exist.
    package static func names(in folder: String) throws(FileError) -> [String] {
        do throws(FileError) {
            return try Paths.names(in: folder).filter { !$0.hasPrefix(".") }.sorted()
        } catch {
            if error.code == ENOENT { return [] }
            throw error
        }
    }

    /// The most bytes of any file that is read: far more than a real one has.
    package static let maximumSize = 64 << 20

    /// Returns a file's bytes; nil if it doesn't exist.
    package static func read(_ path: String, limit: Int = maximumSize) throws(FileError) -> [UInt8]?
    {
        do throws(FileError) {
            return try FileBytes.read(path, limit: limit)
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw error
        }
    }

    /// Replaces a file, and creates missing folders.
    ///
    /// Readers see either the old or the new file whole, also after a power cut. Writers hold the
    /// folder's lock, so that the next one overwrites a partial file.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
        let written = try WrittenFile(bytes, beside: path)
        guard rename(written.path, path) == 0 else {
            let failure = FileError(path)
            written.remove()
            throw failure
        }
        try synchronize(Paths.parent(of: path))
    }

    /// Replaces a file that has that stamp, or creates it if `stamp` is nil; otherwise returns
    /// false and leaves the file.
    ///
    /// Other programs need no lock: the two files are exchanged atomically, and exchanged back if
    /// the replaced file isn't the expected one.
    package static func replace(
        _ path: String,
        at stamp: FileStamp?,
        with bytes: [UInt8]
    ) throws(FileError) -> Bool {
        let written = try WrittenFile(bytes, beside: path)
        defer { written.remove() }
        guard let stamp else {
            if clinux_rename_to_free(written.path, path) != 0 {
                if errno == EEXIST { return false }
                try exchangeless(written, path)
            }
            try synchronize(Paths.parent(of: path))
            return true
        }
        guard clinux_exchange(written.path, path) == 0 else {
            if errno == ENOENT { return try replace(path, at: nil, with: bytes) }
            try exchangeless(written, path)
            try synchronize(Paths.parent(of: path))
            return true
        }
        var (placed, replaced) = (written.stamp as FileStamp?, Self.stamp(written.path))
        let isReplaced = replaced == stamp
        var isDone = isReplaced
        while !isDone {
            // The file that came last has to stay, and it may have changed again.
            guard clinux_exchange(written.path, path) == 0 else { break }
            let next = Self.stamp(written.path)
            isDone = next == placed
            (placed, replaced) = (replaced, next)
        }
        try synchronize(Paths.parent(of: path))
        return isReplaced
    }

    /// Falls back to a rename on file systems without an atomic exchange.
    private static func exchangeless(_ written: WrittenFile, _ path: String) throws(FileError) {
        guard errno == EINVAL || errno == ENOSYS || errno == ENOTSUP,
            rename(written.path, path) == 0
        else { throw FileError(path) }
    }

    /// Creates a folder and its missing parents; `mode` is the folder's own.
    ///
    /// Without a mode, only the users of the folder that it is in can use it.
    package static func makeFolder(_ folder: String, mode: UInt32? = nil) throws(FileError) {
        guard !folder.isEmpty, !exists(folder) else { return }
        let above = Paths.parent(of: folder)
        try makeFolder(above)
        try Folders.make(folder, mode: mode ?? (0o700 | 0o755 & FileAccess.mode(of: above)))
        try synchronize(above)
    }

    private static func synchronize(_ folder: String) throws(FileError) {
        let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileError(folder) }
    }
}
