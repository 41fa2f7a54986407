import System
import BehaviorStore
import Behaviors
import Foundation
import Glibc
import Locking
import Logging
import TestLog
import Testing

@Suite("A behavior document in a file")
final class BehaviorFileTests {
    private let folder: URL
    private let journal = Journal()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "plugboard-tests-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var path: String { folder.appendingPathComponent("behaviors.json").path }

    private func write(_ text: String, _ name: String = "behaviors.json") throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }

    private func open() throws -> BehaviorFile {
        try BehaviorFile(path: path, logger: journal.logger)
    }

    private func module(_ name: String) -> String { #"[{"name":"\#(name)","actions":[]}]"# }

    @Test("the file's bytes are loaded unchanged")
    func load() throws {
        try write(" \(module("A"))\n")
        let file = try open()
        #expect(file.live.revision?.bytes == Array(" \(module("A"))\n".utf8))
        #expect(file.path == path)
        let lastModified = try #require(file.live.revision?.lastModified)
        let age = Date().timeIntervalSince1970 - Double(lastModified)
        #expect((-5...60).contains(age))
    }

    @Test(
        "an invalid file is an error with its path and the location",
        arguments: [
            ("", "line 1, column 1: "), ("[\n  oops]", "line 2, column 3: /0: expected a value"),
            ("{}", "line 1, column 1: /modules: missing"),
            (#"[{"name":"A"}]"#, "line 1, column 2: /0/actions: missing"),
            ("[]x", "line 1, column 3: "),
        ]
    )
    func invalid(_ text: String, _ reason: String) throws {
        try write(text)
        let error = #expect(throws: FileError.self) { _ = try open() }
        #expect(error?.description.hasPrefix("\(path): \(reason)") == true)
    }

    @Test("a missing file, a folder or a pipe is rejected at once")
    func noFile() throws {
        let missing = #expect(throws: FileError.self) { _ = try open() }
        #expect(missing?.reason == "No such file or directory")
        #expect(mkfifo(path, 0o644) == 0)
        #expect(throws: FileError.self) { _ = try open() }
        unlink(path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let folder = #expect(throws: FileError.self) { _ = try open() }
        #expect(folder?.reason == "Is a directory")
    }

    @Test("a file at the size limit is loaded, a larger one is rejected")
    func bound() throws {
        let room = BehaviorDocument.maximumSize - 2
        try write("[" + String(repeating: " ", count: room) + "]")
        #expect(try open().live.revision?.bytes.count == BehaviorDocument.maximumSize)
        try write("[" + String(repeating: " ", count: room + 1) + "]")
        let error = #expect(throws: FileError.self) { _ = try open() }
        #expect(error?.reason.contains("larger") == true)
    }

    @Test("an edit makes one new revision")
    func edit() throws {
        try write(module("A"))
        let file = try open()
        let (version, old) = (file.live.version, file.live.revision)
        #expect(!file.refresh())
        #expect(file.live.version == version)
        try write(module("Bee"))
        #expect(file.refresh())
        #expect(file.live.version == version + 1)
        #expect(file.live.revision?.bytes == Array(module("Bee").utf8))
        #expect(old?.bytes == Array(module("A").utf8))
        #expect(!file.refresh())
        let etag = try #require(file.live.revision?.etag)
        #expect(journal.lines.contains { $0.contains("is live as \(etag)") })
    }

    @Test("the same content keeps its ETag")
    func sameContent() throws {
        try write(module("A"))
        let file = try open()
        let etag = file.live.revision?.etag
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
            ofItemAtPath: path
        )
        #expect(file.refresh())
        #expect(file.live.revision?.etag == etag)
        #expect(file.live.revision?.lastModified == 1_000_000_000)
    }

    @Test("an invalid edit changes nothing and is logged once, with line and column")
    func invalidEdit() throws {
        try write(module("A"))
        let file = try open()
        let version = file.live.version
        try write("[\n{\"name\": 5, \"actions\": []}]")
        #expect(!file.refresh())
        #expect(!file.refresh())
        #expect(file.live.version == version)
        #expect(file.live.revision?.bytes == Array(module("A").utf8))
        let errors = journal.lines.filter { $0.hasPrefix("error") }
        #expect(errors.count == 1)
        #expect(
            errors.first?.contains("\(path): line 2, column 10: /0/name: expected a string")
                == true
        )
        try write(module("Bee"))
        #expect(file.refresh())
        #expect(file.live.revision?.bytes == Array(module("Bee").utf8))
    }

    @Test("a file replaced by a rename is loaded")
    func replaced() throws {
        try write(module("A"))
        let file = try open()
        // Of the same size and time: only the file is another.
        try write(module("B"), "new.json")
        let new = folder.appendingPathComponent("new.json").path
        let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
        try FileManager.default.setAttributes(
            [.modificationDate: try #require(date)],
            ofItemAtPath: new
        )
        #expect(rename(new, path) == 0)
        #expect(file.refresh())
        #expect(file.live.revision?.bytes == Array(module("B").utf8))
    }

    @Test("a symbolic link with a new target is loaded")
    func link() throws {
        try write(module("A"), "one.json")
        try write(module("Bee"), "two.json")
        try FileManager.default.createSymbolicLink(
            atPath: path,
            withDestinationPath: "one.json"
        )
        let file = try open()
        let other = folder.appendingPathComponent("other").path
        try FileManager.default.createSymbolicLink(
            atPath: other,
            withDestinationPath: "two.json"
        )
        #expect(rename(other, path) == 0)
        #expect(file.refresh())
        #expect(file.live.revision?.bytes == Array(module("Bee").utf8))
    }

    @Test("after the file is deleted, the last valid revision stays live until a file exists again")
    func deleted() throws {
        try write(module("A"))
        let file = try open()
        unlink(path)
        #expect(!file.refresh())
        #expect(file.live.revision?.bytes == Array(module("A").utf8))
        try write(module("Bee"))
        #expect(file.refresh())
        #expect(file.live.revision?.bytes == Array(module("Bee").utf8))
    }

    @Test(
        "an unreadable edit is logged once, and goes live once it is readable"
    )
    func unreadable() throws {
        try write(module("A"))
        let file = try open()
        try write(module("Bee"))
        let holder = Glibc.open(path, O_RDWR)
        // The holder has a lease on the file (fcntl(2)). Opening it sends the holder a harmless
        // signal.
        #expect(fcntl(holder, Self.setSignal, SIGURG) == 0)
        #expect(fcntl(holder, Self.setLease, CInt(F_WRLCK)) == 0)
        #expect(!file.refresh())
        #expect(!file.refresh())
        #expect(file.live.revision?.bytes == Array(module("A").utf8))
        let notified = journal.lines.filter { $0.hasPrefix("error") }
        #expect(notified.count == 1)
        #expect(notified.first?.hasSuffix("\(path): Resource temporarily unavailable") == true)
        close(holder)
        #expect(file.refresh())
        #expect(file.live.revision?.bytes == Array(module("Bee").utf8))
        #expect(!file.refresh())
    }

    /// `F_SETSIG` and `F_SETLEASE`, which are GNU's.
    private static let (setSignal, setLease): (CInt, CInt) = (10, 1024)

    @Test("the watch loads an edit, and ends with its task", .timeLimit(.minutes(5)))
    func watch() async throws {
        try write(module("A"))
        let file = try open()
        let task = Task { await file.watch() }
        try write(module("Bee"))
        for await line in journal.stream where line.contains("is live as") { break }
        #expect(file.live.revision?.bytes == Array(module("Bee").utf8))
        task.cancel()
        await task.value
    }

    @Test("a concurrent reader sees one complete revision")
    func concurrent() async throws {
        try write(module("A"))
        let file = try open()
        let known: Set<[UInt8]> = [Array(module("A").utf8), Array(module("Bee").utf8)]
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    (0..<2_000).allSatisfy { _ in
                        guard let revision = file.live.revision else { return false }
                        let again = BehaviorRevision(bytes: revision.bytes, lastModified: 0)
                        return known.contains(revision.bytes) && revision.etag == again.etag
                    }
                }
            }
            for number in 0..<50 {
                let name = number.isMultiple(of: 2) ? "Bee" : "A"
                try? write(module(name), "new.json")
                rename(folder.appendingPathComponent("new.json").path, path)
                file.refresh()
            }
            for await isWhole in group { #expect(isWhole) }
        }
    }
}
