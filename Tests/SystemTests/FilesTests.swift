import System
import Glibc
import Testing

@Suite("Files, read whole and told apart")
final class SystemTests {
    private let folder: String

    init() throws {
        var template = Array("/tmp/plugboard-files-XXXXXX".utf8CString)
        folder = String(cString: try #require(mkdtemp(&template)))
    }

    deinit {
        for name in ["a", "b", "pipe"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    private func write(_ text: String, to name: String = "a", mode: String = "w") throws -> String {
        let path = "\(folder)/\(name)"
        let file = try #require(fopen(path, mode))
        fputs(text, file)
        fclose(file)
        return path
    }

    @Test("a file is read up to its limit, a larger one with one byte more", arguments: 0...4)
    func limit(count: Int) throws {
        let path = try write(String(repeating: "x", count: count))
        let bytes = try FileBytes.read(path, limit: 2)
        #expect(bytes == [UInt8](repeating: UInt8(ascii: "x"), count: min(count, 3)))
    }

    @Test("a file that claims terabytes costs no more than its limit")
    func sparse() throws {
        let path = try write("abc")
        #expect(truncate(path, 8 << 40) == 0)
        #expect(try FileBytes.read(path, limit: 5) == [0x61, 0x62, 0x63, 0, 0, 0])
        let megabytes = try FileBytes.read(path, limit: 3 << 20)
        #expect(megabytes.count == 3 << 20 + 1)
    }

    @Test("a file of the kernel's has no size, and is read whole")
    func sizeless() throws {
        let bytes = try FileBytes.read("/proc/self/status", limit: 1 << 20)
        #expect(bytes.starts(with: "Name:".utf8))
        #expect(bytes.last == 0x0A)
    }

    @Test("a file of many chunks is read whole")
    func large() throws {
        let text = (0..<40_000).map { "\($0)" }.joined(separator: ",")
        let path = try write(text)
        #expect(try FileBytes.read(path, limit: 1 << 20) == Array(text.utf8))
        #expect(try FileBytes.read(path, limit: 100_000) == Array(text.utf8.prefix(100_001)))
    }

    @Test(
        "what can't be read is told with its reason, and a pipe without a writer isn't waited for"
    )
    func failures() throws {
        #expect { try FileBytes.read(folder + "/b", limit: 9) } throws: { error in
            (error as? FileBytes.Failure)?.code == ENOENT
                && "\(error)" == "No such file or directory"
        }
        #expect { try FileBytes.read(folder, limit: 9) } throws: {
            ($0 as? FileBytes.Failure)?.code == EISDIR
        }
        try #require(mkfifo(folder + "/pipe", 0o600) == 0)
        #expect(try FileBytes.read(folder + "/pipe", limit: 9).isEmpty)
    }

    @Test("a stamp tells another size, another time and another file")
    func stamps() throws {
        #expect(FileStamp(folder + "/b") == nil)
        let path = try write("one")
        let first = try #require(FileStamp(path))
        #expect(first.size == 3)
        #expect(FileStamp(path) == first)

        var times = [timespec(tv_sec: -5, tv_nsec: 1), timespec(tv_sec: -5, tv_nsec: 1)]
        try #require(utimensat(AT_FDCWD, path, &times, 0) == 0)
        let older = try #require(FileStamp(path))
        #expect(older != first)
        #expect(older.isOlder(than: first))
        #expect(!first.isOlder(than: older))
        #expect((older.seconds, older.nanoseconds) == (-5, 1))

        let other = try write("one", to: "b")
        try #require(utimensat(AT_FDCWD, other, &times, 0) == 0)
        #expect(FileStamp(other) != older)
        _ = try write("!", mode: "a")
        try #require(utimensat(AT_FDCWD, path, &times, 0) == 0)
        #expect(FileStamp(path)?.size == 4)
    }
}
