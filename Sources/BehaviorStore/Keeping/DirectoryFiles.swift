import CLinux
import System
import Glibc

/// Files that are replaced whole, and are on the disk when that is done.
enum DirectoryFiles {
    /// What tells the states of a file apart; nil where there is no such file.
    static func stamp(_ path: String) -> FileStamp? {
        var info = stat()
        guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
        return FileStamp(info)
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The names in a folder that don't begin with a dot, in order; none where there is no folder.
    static func names(in folder: String) throws(FileError) -> [String] {
        do throws(FileError) {
            return try Paths.names(in: folder).filter { !$0.hasPrefix(".") }.sorted()
        } catch {
            if error.code == ENOENT { return [] }
            throw error
        }
    }

    /// The most bytes of any file that is kept: far more than there are.
    private static let greatestSize = 64 << 20

    /// A file's bytes, at most `limit`; nil where there is no file.
    static func read(_ path: String, limit: Int = greatestSize) throws(FileError) -> [UInt8]? {
        do throws(FileError) {
            return try FileBytes.read(path, limit: limit)
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw error
        }
    }

    /// Puts a file in place of what was there, and makes the folders that are missing.
    ///
    /// Whoever reads sees the old one whole or the new one whole; so does who looks after a power cut.
    /// Whoever writes is ``alone(in:_:)``, so that what was cut short is written over by the next one.
    static func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
        let written = try WrittenFile(bytes, beside: path)
        guard rename(written.path, path) == 0 else {
            let failure = FileError(path)
            written.remove()
            throw failure
        }
        try synchronize(Paths.parent(of: path))
    }

    /// The same where what is there has that stamp, or nothing is there (nil); false where it isn't so
    /// any more: then what is there stays.
    ///
    /// Others needn't be alone to put something there: the two files change places, and do so again where
    /// what comes out isn't what was to be replaced.
    static func replace(
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
            // What came last is to stay, and by now that may be another one.
            guard clinux_exchange(written.path, path) == 0 else { break }
            let next = Self.stamp(written.path)
            isDone = next == placed
            (placed, replaced) = (replaced, next)
        }
        try synchronize(Paths.parent(of: path))
        return isReplaced
    }

    /// For file systems that know no other way.
    private static func exchangeless(_ written: WrittenFile, _ path: String) throws(FileError) {
        guard errno == EINVAL || errno == ENOSYS || errno == ENOTSUP,
            rename(written.path, path) == 0
        else { throw FileError(path) }
    }

    /// Makes a folder, and those above it.
    static func makeFolder(_ folder: String) throws(FileError) {
        guard !folder.isEmpty, !exists(folder) else { return }
        let above = Paths.parent(of: folder)
        try makeFolder(above)
        guard mkdir(folder, 0o755) == 0 || errno == EEXIST else { throw FileError(folder) }
        try synchronize(above)
    }

    private static func synchronize(_ folder: String) throws(FileError) {
        let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileError(folder) }
    }
}
