package import Glibc

/// Owners and modes of files.
package enum FileAccess {
    /// Gives a new file or folder the owner of the folder that it is in.
    ///
    /// Unless it is private, group 0 also gets its access to that folder.
    package static func inherit(
        from folder: String,
        to descriptor: CInt,
        isPrivate: Bool = false
    ) {
        inheritOwner(of: folder, to: descriptor)
        if !isPrivate { shareWithAdministrators(of: folder, descriptor) }
    }

    /// Gives a new file or folder the owner of the folder that it is in, if the process is root's.
    ///
    /// A command that root runs would otherwise make files that the folder's service can't open.
    private static func inheritOwner(of folder: String, to descriptor: CInt) {
        var info = stat()
        guard geteuid() == 0, stat(folder, &info) == 0, info.st_uid != 0 else { return }
        fchown(descriptor, info.st_uid, info.st_gid)
    }

    /// Lets group 0 use a new file or folder in its folder, whatever the umask is.
    ///
    /// It has an effect only if group 0 can write the folder, its users can remove each other's
    /// files, and other users have no access. OpenShift runs a container as any user of group 0, and
    /// later as another. Another group's users must not get each other's tokens.
    private static func shareWithAdministrators(of folder: String, _ descriptor: CInt) {
        var (around, new) = (stat(), stat())
        guard stat(folder, &around) == 0, around.st_mode & (S_ISVTX | 0o027) == 0o020,
            around.st_gid == 0, fstat(descriptor, &new) == 0, new.st_gid == 0
        else { return }
        let isFolder = new.st_mode & S_IFMT == S_IFDIR
        fchmod(descriptor, new.st_mode & 0o7777 | (isFolder ? 0o070 : 0o060))
    }

    /// Returns why the process can't read and write a file, with the remedy; nil if it can, or if
    /// the file is missing.
    package static func problem(of path: String) -> String? {
        guard access(path, R_OK | W_OK) != 0, errno != ENOENT else { return nil }
        let code = errno
        var info = stat()
        guard code == EACCES, stat(path, &info) == 0 else {
            return "\(path): \(String(cString: strerror(code)))"
        }
        let (owner, own) = (info.st_uid, geteuid())
        let remedy =
            owner == own ? "chmod u+rw \(path)" : "chown \(own) \(path), or run as user \(owner)"
        return "\(path) belongs to user \(owner) and can't be read and written by user \(own): "
            + remedy
    }

    /// Returns why the process can't create files in a folder, with the remedy; nil if it can.
    package static func problem(ofFolder path: String) -> String? {
        guard access(path, W_OK | X_OK) != 0 else { return nil }
        let code = errno
        var info = stat()
        if code == EROFS {
            return "\(path) is on a read-only file system: mount a volume there, or choose another "
                + "folder"
        }
        guard code == EACCES, stat(path, &info) == 0 else {
            return "\(path): \(String(cString: strerror(code)))"
        }
        let (owner, own) = (info.st_uid, geteuid())
        let remedy =
            owner == own ? "chmod u+rwx \(path)" : "chown \(own) \(path), or run as user \(owner)"
        return "\(path) belongs to user \(owner) and can't be written by user \(own), group "
            + "\(getegid()): \(remedy)"
    }

    /// Returns who else can read or write a file or folder, with the remedy; nil if nobody can.
    ///
    /// A group may read: some systems give keys to a group of services. Group 0 may write: it is
    /// the administrators', and OpenShift runs a container as any user of it.
    package static func exposure(of path: String) -> String? {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        let isRead = info.st_mode & 0o004 != 0
        let isWritten = info.st_mode & (info.st_gid == 0 ? 0o002 : 0o022) != 0
        guard isRead || isWritten else { return nil }
        let acts = [isRead ? "read" : nil, isWritten ? "written" : nil].compactMap(\.self)
        return
            "\(path) can be \(acts.joined(separator: " and ")) by other users: chmod go-w,o= \(path)"
    }

    /// Returns a file's or folder's permissions; those of its owner only if it is missing.
    static func mode(of path: String) -> UInt32 {
        var info = stat()
        return stat(path, &info) == 0 ? info.st_mode & 0o777 : 0o700
    }

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
