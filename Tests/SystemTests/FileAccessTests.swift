import Glibc
import System
import Testing

@Suite("Owners and modes")
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
        "locks, files and folders in a private folder of group 0 are its, whatever the umask is",
        .enabled(if: getegid() == 0),
        arguments: [
            (0o2770, 0o660, 0o770), (0o2775, 0o600, 0o755), (0o2777, 0o600, 0o755),
            (0o700, 0o600, 0o700),
        ] as [(mode_t, mode_t, mode_t)]
    )
    func group(around: mode_t, lock: mode_t, folder: mode_t) throws {
        let place = try TemporaryFolder()
        try #require(chmod(place.path, around) == 0)
        _ = try #require(try FileLock.take(place.path + "/lock"))
        #expect(mode(place.path + "/lock") == lock)
        try DurableFiles.replace(place.path + "/inner/file", with: [1])
        #expect(mode(place.path + "/inner") == folder)
        let isShared = folder == 0o770
        #expect(mode(place.path + "/inner/file") == (isShared ? 0o660 : 0o600 | 0o644 & folder))
    }

    @Test(
        "a new private folder is its owner's, also in a folder of group 0",
        .enabled(if: getegid() == 0)
    )
    func privateFolder() throws {
        let place = try TemporaryFolder()
        try #require(chmod(place.path, 0o2770) == 0)
        try Folders.make(place.path + "/data", mode: 0o700)
        #expect(mode(place.path + "/data") == 0o700)
    }

    @Test(
        "in another group's folder or a sticky one new files are their owner's",
        .enabled(if: geteuid() == 0),
        arguments: [(100, 0o770), (100, 0o2770), (0, 0o1770), (0, 0o3770)] as [(gid_t, mode_t)]
    )
    func unshared(group: gid_t, around: mode_t) throws {
        let place = try TemporaryFolder()
        try #require(chown(place.path, 0, group) == 0 && chmod(place.path, around) == 0)
        _ = try #require(try FileLock.take(place.path + "/lock"))
        #expect(mode(place.path + "/lock") == 0o600)
    }

    @Test("a file of another group stays its owner's", .enabled(if: geteuid() == 0))
    func otherGroup() throws {
        let place = try TemporaryFolder()
        try #require(chown(place.path, 0, 7) == 0 && chmod(place.path, 0o770) == 0)
        try DurableFiles.replace(place.path + "/file", with: [1])
        #expect(mode(place.path + "/file") == 0o640)
    }

    private func mode(_ path: String) -> mode_t {
        var info = stat()
        return stat(path, &info) == 0 ? info.st_mode & 0o777 : 0
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
