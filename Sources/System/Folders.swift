import Glibc

/// Creates folders.
package enum Folders {
    /// Creates a folder and its missing parents; `mode` is the folder's own.
    ///
    /// For root, each new folder gets the owner of the folder that it is in.
    ///
    /// - Throws: ``FileError`` with the folder that can't be created.
    package static func make(_ folder: String, mode: UInt32 = 0o755) throws(FileError) {
        var folder = folder
        while folder.count > 1, folder.last == "/" { folder.removeLast() }
        var info = stat()
        guard !folder.isEmpty, stat(folder, &info) != 0 else { return }
        let above = Paths.parent(of: folder)
        try make(above)
        guard mkdir(folder, mode_t(mode)) == 0 else {
            if errno == EEXIST { return }
            throw FileError(folder, in: above)
        }
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let descriptor = open(folder, flags)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        FileAccess.inherit(from: above, to: descriptor, isPrivate: mode & 0o077 == 0)
    }
}
