import Glibc
import System
import Testing

@Suite("Folders without write access")
struct FileAccessTests {
    @Test("a writable folder is accepted")
    func writable() throws {
        let folder = try TemporaryFolder()
        #expect(FileAccess.problem(ofFolder: folder.path) == nil)
    }

    @Test("a missing folder has its reason")
    func missing() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/nothing"
        #expect(FileAccess.problem(ofFolder: path) == "\(path): No such file or directory")
    }

    @Test("another user's folder has both users and the remedy", .enabled(if: geteuid() != 0))
    func foreign() {
        let problem = FileAccess.problem(ofFolder: "/usr")
        #expect(problem?.contains("by user \(geteuid()), group \(getegid()): chown") == true)
    }

    @Test(
        "group 0 can write to a folder, other groups and users can't",
        .enabled(if: geteuid() == 0),
        arguments: [
            (0o2770, 0, false), (0o770, 0, false), (0o750, 7, false), (0o770, 7, true),
            (0o772, 0, true), (0o774, 0, true),
        ] as [(mode_t, gid_t, Bool)]
    )
    func exposure(mode: mode_t, group: gid_t, isExposed: Bool) throws {
        let folder = try TemporaryFolder()
        try #require(chown(folder.path, 0, group) == 0 && chmod(folder.path, mode) == 0)
        #expect((FileAccess.exposure(of: folder.path) != nil) == isExposed)
    }
}
