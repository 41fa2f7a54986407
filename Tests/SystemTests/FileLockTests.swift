import Glibc
import Locking
import System
import Testing

@Suite("Locks on files")
struct FileLockTests {
    private struct Failure: Error {}

    private func isTaken(_ path: String) throws -> Bool { try FileLock.take(path) == nil }

    @Test("threads hold a lock one at a time")
    func exclusive() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        let inside = Locked(0)
        let most = Locked(0)
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<50 {
                        try FileLock.hold(path) {
                            let count = inside.withLock { inside in
                                inside += 1
                                return inside
                            }
                            most.withLock { $0 = max($0, count) }
                            sched_yield()
                            inside.withLock { $0 -= 1 }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(most.withLock { $0 } == 1)
    }

    @Test("an error in the work releases the lock")
    func release() throws {
        let folder = try TemporaryFolder()
        #expect(throws: Failure.self) { try FileLock.hold(folder.path) { throw Failure() } }
        #expect(try FileLock.hold(folder.path) { 7 } == 7)
    }

    @Test("a lock has one holder until it is released or deallocated")
    func held() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/new/file.lock"
        let lock = try #require(try FileLock.take(path))
        #expect(try isTaken(path))
        lock.release()
        do {
            let next = try FileLock.take(path)
            #expect(next != nil)
            lock.release()
            #expect(try isTaken(path))
            withExtendedLifetime(next) {}
        }
        #expect(try !isTaken(path))
    }

    @Test("taking a lock needs a writable folder")
    func heldMissing() {
        #expect(throws: FileError.self) { try FileLock.take("/proc/nowhere/file.lock") }
    }

    @Test("a lock on a missing file is an error, and the work doesn't run")
    func missing() {
        let error = #expect(throws: FileError.self) {
            try FileLock.hold("/nowhere/folder") { Issue.record("it runs") }
        }
        #expect(error?.description == "/nowhere/folder: No such file or directory")
    }
}
