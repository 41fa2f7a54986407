import System
import Glibc

/// A command's output in pieces: to a regular file, which is complete or unchanged, or to the
/// standard output, a pipe or a device.
///
/// It writes wherever a shell's `>` does. It replaces the target of a symbolic link, and an existing
/// file keeps its mode and its owner. Only the owner can read a new file, since it has an audit log.
struct OutputFile: Sendable {
    /// The path as given, for messages.
    private let path: String
    /// The path without symbolic links; only for a file that is replaced.
    private let target: String
    /// The file that replaces the target; nil if the output is written directly.
    private let temporary: String?
    private let descriptor: CInt

    /// Opens the output: a temporary file in the folder of a regular file, or the named thing
    /// itself; `-` is the standard output.
    ///
    /// Other users can read a new file that `isShared`, as far as the process's mask allows.
    /// - Throws: ``Failure`` if it can't be opened.
    init(_ path: String, isShared: Bool = false) throws(Failure) {
        self.path = path
        if let open = Self.openDescriptor(path) {
            // The file behind it may belong to the shell, which goes on to write into it.
            (target, temporary, descriptor) = (path, nil, dup(open))
            guard descriptor >= 0 else { throw Self.failure(path) }
            return
        }
        var info = stat()
        let isThere = stat(path, &info) == 0
        guard !isThere || info.st_mode & S_IFMT == S_IFREG else {
            (target, temporary) = (path, nil)
            // A pipe blocks until it has a reader, as for a shell.
            descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
            guard descriptor >= 0 else { throw Self.failure(path) }
            return
        }
        target = try Self.target(of: path)
        // The name is unique, since two commands may write the same file at once.
        var template = (target + ".XXXXXX").utf8CString
        descriptor = template.withUnsafeMutableBufferPointer { name in
            name.baseAddress.map { mkstemp($0) } ?? -1
        }
        guard descriptor >= 0 else { throw Self.failure(path, creatingBeside: isThere) }
        temporary = template.withUnsafeBufferPointer { name in
            name.baseAddress.map { String(cString: $0) }
        }
        if let temporary { UnfinishedFile.remove(temporary) }
        if isThere {
            FileAccess.keep(info, of: descriptor)
        } else if isShared {
            let mask = umask(0o077)
            umask(mask)
            fchmod(descriptor, 0o666 & ~mask)
        }
    }

    /// Returns the open descriptor that a path stands for, such as `-` and `/dev/stdout`; nil for
    /// other paths.
    private static func openDescriptor(_ path: String) -> CInt? {
        switch path {
        case "-", "/dev/stdout": return STDOUT_FILENO
        case "/dev/stderr": return STDERR_FILENO
        default:
            for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
                return CInt(path.dropFirst(folder.count))
            }
            return nil
        }
    }

    /// Resolves symbolic links; the file itself may be missing.
    private static func target(of path: String) throws(Failure) -> String {
        var target = path
        // The kernel follows 40 links.
        for _ in 0...40 {
            guard let link = Paths.target(of: target) else { return target }
            target = link.hasPrefix("/") ? link : Paths.parent(of: target) + "/" + link
        }
        errno = ELOOP
        throw failure(path)
    }

    /// Writes the output with `body`; a previous regular file stays if it throws.
    static func write(
        _ path: String,
        isShared: Bool = false,
        _ body: (OutputFile) async throws -> Void
    ) async throws {
        let file = try OutputFile(path, isShared: isShared)
        var failure: (any Error)?
        do { try await body(file) } catch { failure = error }
        try file.finish(after: failure)
    }

    /// Puts the file in its place, or removes it after a failure, which it throws.
    ///
    /// Not inlined: the optimizer of Swift 6.3 crashes in an `async` function with this code.
    @inline(never)
    private func finish(after failure: (any Error)?) throws {
        do {
            if let failure { throw failure }
            try replaceTarget()
        } catch {
            remove()
            throw error
        }
        try syncFolder()
    }

    /// Writes a piece.
    ///
    /// - Throws: ``Failure`` if it can't be written, such as to a full disk or a closed pipe.
    func write(_ bytes: [UInt8]) throws(Failure) {
        if let code = Descriptors.write(Output.shown(bytes, on: descriptor), to: descriptor) {
            errno = code
            throw Self.failure(path)
        }
    }

    /// Syncs and closes the output, and renames a temporary file to the target.
    ///
    /// The close comes before the rename: a network file system may report a full disk only then.
    private func replaceTarget() throws(Failure) {
        guard let temporary else {
            guard close(descriptor) == 0 else { throw Self.failure(path) }
            return
        }
        guard fsync(descriptor) == 0, close(descriptor) == 0, rename(temporary, target) == 0 else {
            throw Self.failure(path)
        }
    }

    /// Syncs the folder, so that the new file is there after a power failure.
    ///
    /// - Throws: ``Failure``. The file is complete and in its place even so.
    private func syncFolder() throws(Failure) {
        guard temporary != nil else { return }
        let folder = Paths.parent(of: target)
        let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if opened >= 0 { close(opened) } }
        // A folder may be writable and not readable; some file systems can't sync folders.
        if opened < 0, errno == EACCES { return }
        guard opened >= 0, fsync(opened) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw Failure(
                "\(path) is written, but its folder can't be synced: "
                    + "\(String(cString: strerror(errno))). A power failure may bring the previous "
                    + "file back. Write it again."
            )
        }
    }

    private func remove() {
        if let temporary { unlink(temporary) }
    }

    /// Returns the error of the last system call.
    private static func failure(_ path: String, creatingBeside isThere: Bool = false) -> Failure {
        let code = errno
        let reason = String(cString: strerror(code))
        if path == "-" { return Failure("the standard output can't be written: \(reason)") }
        // A shell's > overwrites such a file in place.
        let remedy =
            isThere && [EACCES, EPERM, EROFS].contains(code)
            ? ". The new file is made beside it: make the folder writable, or write to - and "
                + "redirect it" : ""
        return Failure("\(path) can't be written: \(reason)\(remedy)")
    }
}
