package import Glibc

/// Who may do what with files.
package enum FileAccess {
    /// Gives a new file the owner and the mode of the one whose place it is to take, as far as the process may.
    package static func keep(_ info: stat, of descriptor: CInt) {
        var mode = info.st_mode & 0o777
        let isOwned =
            fchown(descriptor, info.st_uid, info.st_gid) == 0
            || fchown(descriptor, uid_t.max, info.st_gid) == 0
        // What its group may is nothing that another one may.
        if !isOwned { mode &= ~0o070 }
        fchmod(descriptor, mode)
    }
}
