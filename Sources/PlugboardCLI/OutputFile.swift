import System
import Glibc

/// Where a command puts what it makes piece by piece: the standard output, or a file that is there
/// whole or not at all.
///
/// It is what a shell's `>` makes: behind a symbolic link it is the link's target, and a file that was
/// there keeps its mode and its owner. A new one is its owner's alone, since an audit is in it.
struct OutputFile: Sendable {
    /// As people gave it.
    private let path: String
    /// Where it is to be, behind all links.
    private let target: String
    private let temporary: String?
    private let descriptor: CInt

    /// Begins a file, beside the one whose place it takes; `-` stands for the standard output.
    ///
    /// - Throws: ``Failure`` where no file can be made there.
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
            throw Failure("\(path) is no file")
        }
        // A name of its own: of two that write the same file at once, each one's is whole.
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

    /// Where a path leads to, behind symbolic links, whether there is a file or not.
    private static func target(of path: String) throws(Failure) -> String {
        var target = path
        // As many as the kernel follows.
        for _ in 0...40 {
            guard let link = Paths.target(of: target) else { return target }
            target = link.hasPrefix("/") ? link : Paths.parent(of: target) + "/" + link
        }
        errno = ELOOP
        throw failure(path)
    }

    /// Makes a file of what `body` writes; where it throws, what was there before stays.
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
    /// - Throws: ``Failure`` where there is no room for it, or nobody reads it any more.
    func write(_ bytes: [UInt8]) throws(Failure) {
        if let code = Descriptors.write(bytes, to: descriptor) {
            errno = code
            throw Self.failure(path)
        }
    }

    /// Puts the file in its place, durably.
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
