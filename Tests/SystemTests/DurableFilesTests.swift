import Glibc
import Testing

@testable import System

@Suite("Atomic replacement of files")
struct DurableFilesTests {
    private func text(_ path: String) throws -> String? {
        try DurableFiles.read(path).map { String(decoding: $0, as: UTF8.self) }
    }

    private func replace(_ path: String, at stamp: FileStamp?, _ text: String) throws -> Bool {
        try DurableFiles.replace(path, at: stamp, with: Array(text.utf8))
    }

    @Test("a file is created with its folders, then replaced, without leftovers")
    func replaced() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a/b/c.json"
        try DurableFiles.replace(path, with: Array("one".utf8))
        #expect(try text(path) == "one")
        try DurableFiles.replace(path, with: Array("two".utf8))
        #expect(try text(path) == "two")
        #expect(try Paths.names(in: folder.path + "/a/b") == ["c.json"])
    }

    @Test("a new file has its folder's read permissions")
    func modes() throws {
        let folder = try TemporaryFolder()
        for (mode, expected) in [(0o700, 0o600), (0o750, 0o640), (0o755, 0o644)]
            as [(UInt32, mode_t)]
        {
            let parent = folder.path + "/\(mode)"
            try DurableFiles.makeFolder(parent, mode: mode)
            let path = parent + "/a/b"
            try DurableFiles.replace(path, with: [])
            var info = stat()
            try #require(stat(path, &info) == 0)
            #expect(info.st_mode & 0o777 == expected)
            try #require(stat(parent + "/a", &info) == 0)
            #expect(info.st_mode & 0o777 == mode)
        }
    }

    @Test("a missing file has no bytes, stamp or names; a file above the limit is an error")
    func missing() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("one")
        for missing in [folder.path + "/b", path + "/c"] {
            #expect(try DurableFiles.read(missing) == nil)
            #expect(DurableFiles.stamp(missing) == nil)
            #expect(!DurableFiles.exists(missing))
        }
        #expect(try DurableFiles.names(in: folder.path + "/b") == [])
        #expect(DurableFiles.stamp(folder.path) == nil)
        #expect(throws: FileError.self) { try DurableFiles.read(path, limit: 2) }
        #expect(throws: FileError.self) { try DurableFiles.names(in: path) }
        #expect(throws: FileError.self) { try DurableFiles.makeFolder(path + "/c") }
        #expect(throws: FileError.self) {
            try DurableFiles.replace(path + "/c", with: [])
        }
    }

    @Test("names are sorted, without hidden ones")
    func names() throws {
        let folder = try TemporaryFolder()
        for name in ["b", ".a", "a", "10", "9"] { try folder.write("", to: name) }
        #expect(try DurableFiles.names(in: folder.path) == ["10", "9", "a", "b"])
    }

    @Test("a file is replaced only if it has the expected stamp")
    func expected() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("one")
        let first = DurableFiles.stamp(path)
        #expect(try replace(path, at: first, "two"))
        #expect(try text(path) == "two")
        let second = DurableFiles.stamp(path)
        #expect(try !replace(path, at: first, "three"))
        #expect(try text(path) == "two")
        #expect(DurableFiles.stamp(path) == second)
        #expect(try Paths.names(in: folder.path) == ["a"])
    }

    @Test("if no file is expected, one is created but none is replaced")
    func created() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a"
        #expect(try replace(path, at: nil, "one"))
        #expect(try !replace(path, at: nil, "two"))
        #expect(try text(path) == "one")
        // A file that was deleted since is created again.
        let stamp = DurableFiles.stamp(path)
        unlink(path)
        #expect(try replace(path, at: stamp, "three"))
        #expect(try text(path) == "three")
        #expect(try Paths.names(in: folder.path) == ["a"])
    }

    @Test("a link at the temporary file's path is removed, and its target is unchanged")
    func links() throws {
        let folder = try TemporaryFolder()
        let target = try folder.write("target", to: "target")
        let path = folder.path + "/a"
        try #require(symlink(target, WrittenFile.path(beside: path)) == 0)
        try DurableFiles.replace(path, with: Array("one".utf8))
        #expect(try text(path) == "one")
        #expect(try text(target) == "target")
    }

    @Test("a replaced file retains its permissions")
    func permissions() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("one")
        try #require(chmod(path, 0o664) == 0)
        try DurableFiles.replace(path, with: Array("two".utf8))
        var info = stat()
        try #require(stat(path, &info) == 0)
        #expect(info.st_mode & 0o777 == 0o664)
    }
}
