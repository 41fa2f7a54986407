import Foundation
import Testing

@testable import PlugboardCommand

@Suite("A command's output file")
struct OutputFileTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private struct Broken: Error {}

    @Test("replaces a regular file completely or not at all")
    func regularFile() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await OutputFile.write(path("a")) { try $0.write(Array("one".utf8)) }
        #expect(try text("a") == "one")
        chmod(path("a"), 0o640)
        await #expect(throws: Broken.self) {
            try await OutputFile.write(path("a")) { file in
                try file.write(Array("two".utf8))
                throw Broken()
            }
        }
        #expect(try text("a") == "one")
        try await OutputFile.write(path("a")) { try $0.write(Array("three".utf8)) }
        #expect(try text("a") == "three")
        var info = stat()
        #expect(stat(path("a"), &info) == 0 && info.st_mode & 0o777 == 0o640)
        #expect(try names() == ["a"])
    }

    @Test("replaces the target of a symbolic link")
    func link() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        symlink("real", path("link"))
        try await OutputFile.write(path("link")) { try $0.write(Array("one".utf8)) }
        #expect(try text("real") == "one")
        #expect(try names() == ["link", "real"])
    }

    @Test("writes into a pipe that has a reader")
    func pipe() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        mkfifo(path("pipe"), 0o600)
        // With a reader open, neither end blocks.
        let reader = open(path("pipe"), O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        try await OutputFile.write(path("pipe")) { try $0.write(Array("one".utf8)) }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(reader, &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "one")
        #expect(try names() == ["pipe"])
    }

    @Test("writes to a device and to an open descriptor, and doesn't close the descriptor")
    func device() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await OutputFile.write("/dev/null") { try $0.write([1]) }
        let descriptor = open(path("a"), O_WRONLY | O_CREAT, 0o600)
        defer { close(descriptor) }
        try await OutputFile.write("/dev/fd/\(descriptor)") { try $0.write(Array("one".utf8)) }
        #expect(write(descriptor, ",two", 4) == 4)
        #expect(try text("a") == "one,two")
    }

    @Test(
        "reports a failed write with the reason",
        arguments: [
            ("/dev/full", "/dev/full can't be written: No space left on device"),
            ("/dev", "/dev can't be written: Is a directory"),
            ("/none/a", "/none/a can't be written: No such file or directory"),
            ("/dev/fd/9999", "/dev/fd/9999 can't be written: Bad file descriptor"),
            ("", " can't be written: No such file or directory"),
        ]
    )
    func errors(_ path: String, _ message: String) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let failure = await #expect(throws: Failure.self) {
            try await OutputFile.write(path) { try $0.write([1]) }
        }
        #expect(failure?.description == message)
    }
}
