import System
import Glibc

/// A command's output in pieces: the standard output, or a file that is complete or missing.
///
/// It behaves like a shell's `>`. It replaces the target of a symbolic link, and an existing file
/// keeps its mode and its owner. Only the owner can read a new file, since it has an audit log.
struct OutputFile: Sendable {
    /// The path as given, for messages.
    private let path: String
    /// The path without symbolic links.
    private let target: String
    private let temporary: String?
    private let descriptor: CInt

    /// Creates a temporary file in the target's folder; `-` is the standard output.
    ///
    /// - Throws: ``Failure`` if it can't be created.
    init(_ path: String) throws(Failure) {
        self.path = path
        guard path != "-" else {
            target = path
            temporary = nil
            descriptor = STDOUT_FILENO
            return
        }
        target = try Self.target(of: path)
        var info = stat()
        let isThere = stat(target, &info) == 0
        guard !isThere || info.st_mode & S_IFMT == S_IFREG else {
            throw Failure("\(path) is not a regular file")
        }
        // The name is unique, since two commands may write the same file at once.
        var template = (target + ".XXXXXX").utf8CString
        descriptor = template.withUnsafeMutableBufferPointer { name in
            name.baseAddress.map { mkstemp($0) } ?? -1
        }
        guard descriptor >= 0 else { throw Self.failure(path) }
        temporary = template.withUnsafeBufferPointer { name in
            name.baseAddress.map { String(cString: $0) }
        }
        if let temporary { UnfinishedFile.remove(temporary) }
        if isThere { FileAccess.keep(info, of: descriptor) }
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

    /// Writes a file with `body`; the previous file stays if it throws.
    static func write(
        _ path: String,
        _ body: (OutputFile) async throws -> Void
    ) async throws {
        let file = try OutputFile(path)
        do {
            try await body(file)
            try file.finish()
        } catch {
            file.remove()
            throw error
        }
    }

    /// Writes a piece.
    ///
    /// - Throws: ``Failure`` if it can't be written, such as to a full disk or a closed pipe.
    func write(_ bytes: [UInt8]) throws(Failure) {
        if let code = Descriptors.write(bytes, to: descriptor) {
            errno = code
            throw Self.failure(path)
        }
    }

    /// Renames the temporary file to the target, and syncs both to the disk.
    private func finish() throws(Failure) {
        guard let temporary else { return }
        let opened = open(Paths.parent(of: target), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { throw Self.failure(path) }
        defer { close(opened) }
        guard fsync(descriptor) == 0, rename(temporary, target) == 0, fsync(opened) == 0 else {
            throw Self.failure(path)
        }
        close(descriptor)
    }

    private func remove() {
        guard let temporary else { return }
        close(descriptor)
        unlink(temporary)
    }

    private static func failure(_ path: String) -> Failure {
        let name = path == "-" ? "the standard output" : path
        return Failure("\(name) can't be written: \(String(cString: strerror(errno)))")
    }
}
