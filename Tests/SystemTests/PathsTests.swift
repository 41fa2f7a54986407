import Glibc
import System
import Testing

@Suite("Paths, and the names behind them")
struct PathsTests {
    @Test(
        "the folder of a path",
        arguments: [("a/b", "a"), ("/a/b", "/a"), ("/a", "/"), ("a", "."), ("", "."), ("a/", "a")]
    )
    func parent(path: String, parent: String) {
        #expect(Paths.parent(of: path) == parent)
    }

    @Test("a link tells its target, and nothing else has one")
    func target() throws {
        let folder = try TemporaryFolder()
        let link = folder.path + "/link"
        try #require(symlink("../nöwhere", link) == 0)
        #expect(Paths.target(of: link) == "../nöwhere")
        #expect(Paths.target(of: folder.path) == nil)
        #expect(Paths.target(of: folder.path + "/nothing") == nil)
    }

    @Test("a folder's names, hidden ones included; a missing folder is an error")
    func names() throws {
        let folder = try TemporaryFolder()
        for name in ["a", ".b"] { try folder.write("", to: name) }
        #expect(try Set(Paths.names(in: folder.path)) == ["a", ".b"])
        let error = #expect(throws: FileError.self) {
            try Paths.names(in: folder.path + "/nothing")
        }
        #expect(error?.code == ENOENT)
    }
}
