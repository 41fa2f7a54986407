import Eventually
import Glibc
import Testing

@testable import System

@Suite("File watcher", .timeLimit(.minutes(2)))
struct WatcherTests {
    private let folder: TemporaryFolder
    /// Nothing but an event makes it tell.
    private let watcher = Watcher(pause: .seconds(3600))

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path + "/file" }

    private func text(_ path: String) -> String? {
        (try? FileBytes.read(path, limit: 99)).map { String(decoding: $0, as: UTF8.self) }
    }

    private func link(_ target: String) throws {
        let new = folder.path + "/new"
        try #require(symlink(target, new) == 0)
        try #require(rename(new, folder.path + "/current") == 0)
    }

    private func make(_ name: String) throws {
        try #require(mkdir(folder.path + "/" + name, 0o755) == 0)
    }

    /// Changes something once the stream has begun, and waits for a look that sees it.
    private func expect(
        _ text: String?,
        at path: String,
        in looks: inout AsyncStream<Void>.Iterator,
        after change: () throws -> Void
    ) async throws {
        try change()
        while await looks.next() != nil { if self.text(path) == text { return } }
        Issue.record("the stream has ended")
    }

    @Test("the first check is immediate")
    func first() async {
        var looks = watcher.looks(at: [.path("/nowhere")]).makeAsyncIterator()
        #expect(await looks.next() != nil)
    }

    @Test("creating, writing, replacing and removing a file each causes a check")
    func file() async throws {
        var looks = watcher.looks(at: [.path(path)]).makeAsyncIterator()
        try await expect("one", at: path, in: &looks) { try folder.write("one", to: "file") }
        try await expect("two", at: path, in: &looks) { try folder.write("two", to: "file") }
        try await expect("three", at: path, in: &looks) {
            try folder.write("three", to: "other")
            rename(folder.path + "/other", path)
        }
        try await expect(nil, at: path, in: &looks) { unlink(path) }
        try await expect("four", at: path, in: &looks) { try folder.write("four", to: "file") }
    }

    @Test("a link with a new target is followed, and then the target's folder")
    func link() async throws {
        for release in ["1", "2"] {
            try make(release)
            try folder.write(release, to: release + "/file")
        }
        try link("1")
        let path = folder.path + "/current/file"
        var looks = watcher.looks(at: [.path(path)]).makeAsyncIterator()
        try await expect("2", at: path, in: &looks) { try link("2") }
        try await expect("two", at: path, in: &looks) { try folder.write("two", to: "2/file") }
        unlink(folder.path + "/1/file")
        rmdir(folder.path + "/1")
        try await expect(nil, at: path, in: &looks) { try link("nowhere") }
        try await expect("two", at: path, in: &looks) { try link("2") }
    }

    @Test("a renamed folder is followed")
    func folders() async throws {
        try make("current")
        try make("next")
        try folder.write("next", to: "next/file")
        let current = folder.path + "/current"
        let path = current + "/file"
        var looks = watcher.looks(at: [.path(path)]).makeAsyncIterator()
        try await expect("next", at: path, in: &looks) {
            rename(current, folder.path + "/old")
            rename(folder.path + "/next", current)
        }
        try await expect("after", at: path, in: &looks) {
            try folder.write("after", to: "current/file")
        }
    }

    @Test("a file is watched before its folder exists")
    func late() async throws {
        let path = folder.path + "/a/b/file"
        var looks = watcher.looks(at: [.path(path)]).makeAsyncIterator()
        try await expect("late", at: path, in: &looks) {
            try make("a")
            try make("a/b")
            try folder.write("late", to: "a/b/file")
        }
    }

    @Test("a database is checked while its log is written and open")
    func database() async throws {
        let log = open(path + "-wal", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(log) }
        var looks = watcher.looks(at: [.database(path)]).makeAsyncIterator()
        for count in 1...3 {
            let text = String(repeating: "x", count: count)
            try await expect(text, at: path + "-wal", in: &looks) {
                try #require(write(log, "x", 1) == 1)
            }
        }
    }

    @Test("a file in a new folder of a tree causes a check")
    func tree() async throws {
        let path = folder.path + "/production/default.json"
        var looks = watcher.looks(at: [.tree(folder.path)]).makeAsyncIterator()
        try await expect("[]", at: path, in: &looks) {
            try make("production")
            try folder.write("[]", to: "production/default.json")
        }
        try await expect("[1]", at: path, in: &looks) {
            try folder.write("[1]", to: "production/default.json")
        }
    }

    @Test("without inotify watches files are checked periodically")
    func limit() async throws {
        let watcher = Watcher(pause: .milliseconds(5)) { _, _, _ in
            errno = ENOSPC
            return -1
        }
        var looks = watcher.looks(at: [.path(path)]).makeAsyncIterator()
        try await expect("one", at: path, in: &looks) { try folder.write("one", to: "file") }
        try await expect("two", at: path, in: &looks) { try folder.write("two", to: "file") }
    }

    @Test("a stream ends with its task, and the thread with the last stream")
    func end() async throws {
        weak var ended: Watcher?
        do {
            let watcher = Watcher(pause: .milliseconds(5))
            ended = watcher
            let task = Task { [path] in
                for await _ in watcher.looks(at: [.path(path)]) {}
            }
            task.cancel()
            await task.value
        }
        try await eventually("the thread has ended") { ended == nil }
    }
}

@Suite("Counted events")
struct WatchedPlaceTests {
    private let place = Watcher.Place(folder: "/", name: "a")

    @Test("closing, creating, renaming and removing the watched name counts, other names don't")
    func names() {
        for event in [IN_CLOSE_WRITE, IN_MOVED_TO, IN_MOVED_FROM, IN_CREATE, IN_DELETE, IN_ATTRIB] {
            #expect(place.counts(UInt32(event), of: "a"))
            #expect(!place.counts(UInt32(event), of: "b"))
            #expect(Watcher.Place(folder: "/").counts(UInt32(event), of: "b"))
        }
        #expect(!place.counts(UInt32(IN_MODIFY), of: "a"))
        #expect(place.counts(UInt32(IN_MOVE_SELF), of: ""))
    }

    @Test("writes to a database and its log count")
    func database() {
        let places = Watcher.Target.database("/nowhere.sqlite").places
        #expect(places.map(\.name) == ["nowhere.sqlite", "nowhere.sqlite-wal"])
        #expect(places.allSatisfy { $0.counts(UInt32(IN_MODIFY), of: $0.name ?? "") })
    }
}
