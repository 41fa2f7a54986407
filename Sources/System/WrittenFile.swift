import Glibc

/// A complete, synchronized file beside the one that it is to replace.
package struct WrittenFile {
    /// Its path: a hidden file in the same folder.
    let path: String
    /// Distinguishes it from another file that may take its place.
    let stamp: FileStamp

    /// Writes the file and creates missing folders.
    ///
    /// Removes a partial file or a symbolic link at its path first; the link's target stays.
    init(_ bytes: [UInt8], beside place: String) throws(FileError) {
        let folder = Paths.parent(of: place)
        try DurableFiles.makeFolder(folder)
        path = Self.path(beside: place)
        unlink(path)
        // A new file is private if its folder is.
        let mode = 0o600 | 0o644 & FileAccess.mode(of: folder)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode))
        guard descriptor >= 0 else { throw FileError(path) }
        defer { close(descriptor) }
        var replaced = stat()
        if stat(place, &replaced) == 0, replaced.st_mode & S_IFMT == S_IFREG {
            // Keeps the owner and the permissions, so that the file's other editors retain access.
            FileAccess.keep(replaced, of: descriptor)
        } else {
            FileAccess.inherit(from: folder, to: descriptor)
        }
        do {
            stamp = try Self.write(bytes, to: descriptor, path)
        } catch {
            unlink(path)
            throw error
        }
    }

    /// The path of the temporary file beside a file: the same each time.
    package static func path(beside place: String) -> String {
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

    /// Deletes the file.
    func remove() { unlink(path) }
}
