import Glibc
import System
import Testing

@Suite("Folders that can't be written")
struct FileAccessTests {
    @Test("a writable folder has no problem")
    func writable() throws {
        let folder = try TemporaryFolder()
        #expect(FileAccess.problem(ofFolder: folder.path) == nil)
    }

    @Test("a missing folder: the reason")
    func missing() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/nothing"
        #expect(FileAccess.problem(ofFolder: path) == "\(path): No such file or directory")
    }

    @Test("a folder of another user: both users and the remedy", .enabled(if: geteuid() != 0))
    func foreign() {
        let problem = FileAccess.problem(ofFolder: "/usr")
        #expect(problem?.contains("by user \(geteuid()), group \(getegid()): chown") == true)
    }
}
