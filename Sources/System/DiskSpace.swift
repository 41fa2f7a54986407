import Glibc

/// The free space of a file system.
package struct DiskSpace: Equatable, Sendable {
    /// The bytes that this process can still write.
    package var free: Int
    package var total: Int
    /// The files that can still be created; nil if the file system has no limit.
    package var freeFiles: Int?
    package var isReadOnly: Bool

    package init(free: Int, total: Int, freeFiles: Int? = nil, isReadOnly: Bool = false) {
        self.free = free
        self.total = total
        self.freeFiles = freeFiles
        self.isReadOnly = isReadOnly
    }

    /// Reads the file system of a path, or of its nearest folder if the path is missing.
    package init(of path: String) throws(SystemError) {
        var info = statvfs()
        var place = path
        while statvfs(place, &info) != 0 {
            let above = Paths.parent(of: place)
            guard errno == ENOENT, above != place else {
                throw SystemError("the file system of \(place) can't be read")
            }
            place = above
        }
        let unit = Int(info.f_frsize)
        free = Int(clamping: info.f_bavail) * unit
        total = Int(clamping: info.f_blocks) * unit
        // Some file systems create room for files as they need it.
        freeFiles = info.f_files == 0 ? nil : Int(clamping: info.f_favail)
        isReadOnly = Int(info.f_flag) & Int(ST_RDONLY) != 0
    }
}
