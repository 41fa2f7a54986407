import Glibc

/// Where a command puts what it makes piece by piece: the standard output, or a file that is there
/// whole or not at all.
struct OutputFile: Sendable {
    private let path: String
    private let temporary: String?
    private let descriptor: CInt

    /// Begins a file, beside the one whose place it takes; `-` stands for the standard output.
    ///
    /// - Throws: ``Failure`` where no file can be made there.
    init(_ path: String) throws(Failure) {
        self.path = path
        guard path != "-" else {
            temporary = nil
            descriptor = STDOUT_FILENO
            return
        }
        var info = stat()
        guard stat(path, &info) != 0 || info.st_mode & S_IFMT == S_IFREG else {
            throw Failure("\(path) is no file")
        }
        // A name of its own: of two that write the same file at once, each one's is whole.
        var template = (path + ".XXXXXX").utf8CString
        descriptor = template.withUnsafeMutableBufferPointer { name in
            name.baseAddress.map { mkstemp($0) } ?? -1
        }
        guard descriptor >= 0 else { throw Self.failure(path) }
        temporary = template.withUnsafeBufferPointer { name in
            name.baseAddress.map { String(cString: $0) }
        }
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
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                Glibc.write(
                    descriptor,
                    bytes.baseAddress.map { $0 + written },
                    bytes.count - written
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure(path) }
            written += count
        }
    }

    /// Puts the file in its place, durably.
    private func finish() throws(Failure) {
        guard let temporary else { return }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { throw Self.failure(path) }
        defer { close(opened) }
        guard fsync(descriptor) == 0, rename(temporary, path) == 0, fsync(opened) == 0 else {
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
