package import Glibc

/// Owners and modes of files.
package enum FileAccess {
    /// Copies the owner and mode of the file to be replaced to a new file, as far as the process
    /// may.
    package static func keep(_ info: stat, of descriptor: CInt) {
        var mode = info.st_mode & 0o777
        let isOwned =
            fchown(descriptor, info.st_uid, info.st_gid) == 0
            || fchown(descriptor, uid_t.max, info.st_gid) == 0
        // The old group's permissions must not apply to another group.
        if !isOwned { mode &= ~0o070 }
        fchmod(descriptor, mode)
    }
}
