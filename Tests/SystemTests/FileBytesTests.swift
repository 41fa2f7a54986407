import Glibc
import System
import Testing

@Suite("Reading complete files")
struct FileBytesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("a file is read up to its limit", arguments: 0...2)
    func limit(count: Int) throws {
        let path = try folder.write(String(repeating: "x", count: count))
        let bytes = try FileBytes.read(path, limit: 2)
        #expect(bytes == [UInt8](repeating: UInt8(ascii: "x"), count: count))
    }

    @Test(
        "a larger file is rejected with its path and the limit",
        arguments: [(2, "2 bytes"), (3 << 20, "3 MiB"), (0, "0 bytes")]
    )
    func tooLarge(limit: Int, text: String) throws {
        let path = try folder.write(String(repeating: "x", count: limit + 1))
        let error = #expect(throws: FileError.self) { try FileBytes.read(path, limit: limit) }
        #expect(error?.code == EFBIG)
        #expect(error?.description == "\(path): larger than \(text)")
    }

    @Test("a file that claims terabytes uses little more memory than its limit")
    func sparse() throws {
        let path = try folder.write("abc")
        #expect(truncate(path, 8 << 40) == 0)
        #expect(throws: FileError.self) { try FileBytes.read(path, limit: 5) }
        let endless = #expect(throws: FileError.self) {
            try FileBytes.read("/dev/zero", limit: 1 << 20)
        }
        #expect(endless?.code == EFBIG)
    }

    @Test("a kernel file without a size is read completely")
    func sizeless() throws {
        let bytes = try FileBytes.read("/proc/self/status", limit: 1 << 20)
        #expect(bytes.starts(with: "Name:".utf8))
        #expect(bytes.last == 0x0A)
    }

    @Test("a file of many pieces is read completely")
    func large() throws {
        let text = (0..<400_000).map { "\($0)" }.joined(separator: ",")
        let path = try folder.write(text)
        #expect(try FileBytes.read(path, limit: 4 << 20) == Array(text.utf8))
    }

    @Test("a file that can't be read is an error with its path and the reason")
    func failures() throws {
        let path = folder.path + "/nowhere"
        let missing = #expect(throws: FileError.self) { try FileBytes.read(path, limit: 9) }
        #expect(missing?.code == ENOENT)
        #expect(missing?.description == "\(path): No such file or directory")
        let other = #expect(throws: FileError.self) { try FileBytes.read(folder.path, limit: 9) }
        #expect(other?.reason == "Is a directory")
    }

    @Test(
        "a pipe without a writer is empty, unless the reader waits for one",
        .timeLimit(.minutes(1))
    )
    func pipe() throws {
        let path = folder.path + "/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        #expect(try FileBytes.read(path, limit: 9).isEmpty)
        try Thread.start {
            let writer = open(path, O_WRONLY | O_CLOEXEC)
            write(writer, "ab", 2)
            close(writer)
        }
        #expect(try FileBytes.read(path, limit: 9, waits: true) == Array("ab".utf8))
    }
}
