import Glibc
import System
import Testing

@Suite("Paths")
struct PathsTests {
    @Test(
        "a path has its folder",
        arguments: [("a/b", "a"), ("/a/b", "/a"), ("/a", "/"), ("a", "."), ("", "."), ("a/", "a")]
    )
    func parent(path: String, parent: String) {
        #expect(Paths.parent(of: path) == parent)
    }

    @Test("only a link has a target")
    func target() throws {
        let folder = try TemporaryFolder()
        let link = folder.path + "/link"
        try #require(symlink("../nöwhere", link) == 0)
        #expect(Paths.target(of: link) == "../nöwhere")
        #expect(Paths.target(of: folder.path) == nil)
        #expect(Paths.target(of: folder.path + "/nothing") == nil)
    }

    @Test("a real path has no links, and retains the names of missing files")
    func real() throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        try #require(mkdir(path + "/a", 0o755) == 0 && symlink("a", path + "/link") == 0)
        #expect(Paths.real(path + "/link") == path + "/a")
        #expect(Paths.real(path + "/link/new/file") == path + "/a/new/file")
        #expect(Paths.real(path + "/link/new//") == path + "/a/new")
        #expect(Paths.real(path + "/link/new/../b") == path + "/a/b")
        #expect(Paths.real("/nothing/b") == "/nothing/b")
        #expect(Paths.real("nothing") == Paths.real(".") + "/nothing")
    }

    @Test("a path is within a folder if its real path is")
    func beneath() throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        try #require(mkdir(path + "/a", 0o755) == 0 && mkdir(path + "/ab", 0o755) == 0)
        try #require(symlink("a", path + "/link") == 0)
        for inner in ["/a", "/a/", "/a/b", "/link", "/link/b/c", "/ab/../a/b"] {
            #expect(Paths.isBeneath(path + "/a", path + inner), "\(inner)")
            #expect(Paths.isBeneath(path + "/link", path + inner), "\(inner)")
        }
        for outer in ["", "/ab", "/ab/a", "/a/../b", "/nothing"] {
            #expect(!Paths.isBeneath(path + "/a", path + outer), "\(outer)")
        }
        #expect(!Paths.isBeneath(path + "/nothing", path + "/nothing"))
    }

    @Test("a folder's names include hidden ones; a missing folder is an error")
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
