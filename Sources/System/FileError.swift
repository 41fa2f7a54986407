import Glibc

/// A failed operation on a file.
package struct FileError: Error, CustomStringConvertible {
    package let path: String
    /// The cause, in the system's words or the caller's.
    package let reason: String
    /// The `errno`; `EFBIG` for a file over its limit, 0 if the file's content is the cause.
    package let code: CInt

    /// A failure that the system reports.
    package init(_ path: String, code: CInt = errno) {
        self.path = path
        self.code = code
        reason = String(cString: strerror(code))
    }

    /// A folder or file that can't be created in a folder; says whose the folder is.
    init(_ path: String, in folder: String) {
        let code = errno
        self.path = path
        self.code = code
        let isForbidden = code == EACCES || code == EROFS
        reason =
            (isForbidden ? FileAccess.problem(ofFolder: folder) : nil)
            ?? String(cString: strerror(code))
    }

    /// A failure that the file's content causes.
    package init(_ path: String, because reason: String) {
        (self.path, self.reason, code) = (path, reason, 0)
    }

    /// A file over its limit.
    package init(_ path: String, largerThan limit: Int) {
        let isWhole = limit > 0 && limit % (1 << 20) == 0
        reason = "larger than " + (isWhole ? "\(limit >> 20) MiB" : "\(limit) bytes")
        (self.path, code) = (path, EFBIG)
    }

    package var description: String { "\(path): \(reason)" }
}
