import Glibc
import System
import Testing

@Suite("File stamps")
struct FileStampTests {
    @Test("stamps differ in size, time and file")
    func stamps() throws {
        let folder = try TemporaryFolder()
        #expect(FileStamp(folder.path + "/b") == nil)
        let path = try folder.write("one")
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

        let other = try folder.write("one", to: "b")
        try #require(utimensat(AT_FDCWD, other, &times, 0) == 0)
        #expect(FileStamp(other) != older)
        try folder.write("!", mode: "a")
        try #require(utimensat(AT_FDCWD, path, &times, 0) == 0)
        #expect(FileStamp(path)?.size == 4)
    }
}
