import System
import Glibc

/// A file that is written whole and on the disk, beside the one whose place it is to take.
struct WrittenFile {
    /// Where it is: hidden, in the same folder.
    let path: String
    /// What tells it from what else may come to its place.
    let stamp: FileStamp

    /// Writes it, and makes the folders that are missing; what was cut short there is taken away, as is a
    /// link that somebody has put there, whose target stays.
    init(_ bytes: [UInt8], beside place: String) throws(FileError) {
        try DirectoryFiles.makeFolder(Paths.parent(of: place))
        path = Self.path(beside: place)
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FileError(path) }
        defer { close(descriptor) }
        var replaced = stat()
        if stat(place, &replaced) == 0, replaced.st_mode & S_IFMT == S_IFREG {
            // Others who edit it go on.
            FileAccess.keep(replaced, of: descriptor)
        }
        do {
            stamp = try Self.write(bytes, to: descriptor, path)
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Where the file is that is to take a place: the same each time.
    static func path(beside place: String) -> String {
        let folder = Paths.parent(of: place)
        return folder + "/.\(place.dropFirst(folder.count + 1)).new"
    }

    private static func write(
        _ bytes: [UInt8],
        to descriptor: CInt,
        _ path: String
    ) throws(FileError) -> FileStamp {
        if let code = Descriptors.write(bytes, to: descriptor) { throw FileError(path, code: code) }
        var info = stat()
        guard fsync(descriptor) == 0, fstat(descriptor, &info) == 0 else {
            throw FileError(path)
        }
        return FileStamp(info)
    }

    /// Takes away what is there.
    func remove() { unlink(path) }
}
