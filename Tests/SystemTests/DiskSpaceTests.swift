import Testing

@testable import System

@Suite("Free space")
struct DiskSpaceTests {
    @Test("a missing path has the space of its nearest folder")
    func missing() throws {
        let folder = try TemporaryFolder()
        let space = try DiskSpace(of: folder.path)
        #expect(space.total > 0)
        #expect(space.free <= space.total)
        #expect(!space.isReadOnly)
        #expect(try DiskSpace(of: folder.path + "/a/b").total == space.total)
        #expect(try DiskSpace(of: "missing-folder/a").total > 0)
    }

    @Test("a path below a file is an error with that place")
    func belowFile() {
        let error = #expect(throws: SystemError.self) { try DiskSpace(of: "/dev/null/a") }
        #expect(error?.description.contains("/dev/null") == true)
    }
}
