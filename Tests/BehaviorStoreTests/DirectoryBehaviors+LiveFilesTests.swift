import BehaviorStore
import Eventually
import Foundation
import Glibc
import Testing

/// Edits that come while the store itself writes the file.
@Suite("Concurrent writes of a live file")
struct DirectoryBehaviorsLiveFilesTests {
    private let desk: Desk
    private let path: String

    init() throws {
        desk = try Desk(.directory)
        path = desk.store.folder + "/production/default.json"
    }

    private func read(_ path: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    /// Returns the live revisions of a server that starts now; their version counts the moves.
    private func started() throws -> LiveBehavior? {
        let live = LiveBehaviors()
        try BehaviorDocuments(desk.store.backend(), as: live).begin()
        return live["default"]
    }

    /// Has a thread put another file in a path's place, as an editor does, as soon as it is another one.
    private func replace(_ path: String, with other: String) -> Task<Void, Never> {
        @Sendable func inode() -> UInt64 {
            var info = stat()
            return stat(path, &info) == 0 ? UInt64(info.st_ino) : 0
        }
        let first = inode()
        return Task {
            await withCheckedContinuation { done in
                Thread.detachNewThread {
                    let end = Date(timeIntervalSinceNow: 300)
                    while inode() == first, Date() < end {}
                    rename(other, path)
                    done.resume()
                }
            }
        }
    }

    @Test("an edit during a publication is the next revision")
    func editMeanwhile() async throws {
        try await desk.put("first")
        for round in 0..<25 {
            let edit = Desk.text("edit \(round)")
            try write(edit, to: desk.store.folder + "/.edit")
            let editing = replace(path, with: desk.store.folder + "/.edit")
            try await desk.put("put \(round)")
            await editing.value
            #expect(try started()?.revision?.bytes == edit, "round \(round)")
            #expect(try read(path) == edit)
        }
        let head = try await desk.store.backend().head()
        #expect(head.sequence == 51)
        #expect(try await desk.findings() == [])
    }

    @Test("an edit after a power failure isn't overwritten by the unfinished write")
    func editAfterCut() async throws {
        try await desk.put("one")
        try await desk.put("two")
        // As it is between the change's file and the live one, but that the latter was edited.
        try write(Desk.text("edited"), to: path)
        try write(Array("1\n".utf8), to: desk.store.folder + "/.history/written.txt")
        #expect(try started()?.revision?.bytes == Desk.text("edited"))
        #expect(try read(path) == Desk.text("edited"))
        let second = try await desk.documents.revision(2, of: desk.key)
        #expect(second.bytes == Desk.text("two"))
        #expect(try await desk.findings() == [])
    }

    @Test("an edit that a killed process had moved aside is restored")
    func killedBetween() async throws {
        try await desk.put("one")
        try await desk.put("two")
        let other = desk.store.folder + "/production/.default.json.new"
        for (left, live) in [
            // Between the exchange and its exchange back, behind it, and as ours was being written.
            (Desk.text("edited"), "edited"), (Desk.text("one"), "two"), (Desk.text("two"), "two"),
            (Array(Desk.text("two").dropLast(5)), "two"), ([], "two"),
        ] {
            let again = try Desk(.directory)
            let folder = again.store.folder
            try FileManager.default.removeItem(atPath: folder)
            try FileManager.default.copyItem(atPath: desk.store.folder, toPath: folder)
            try write(left, to: other.replacing(desk.store.folder, with: folder))
            try write(Array("1\n".utf8), to: folder + "/.history/written.txt")
            try again.documents.begin()
            #expect(again.served == String(decoding: Desk.text(live), as: UTF8.self))
            #expect(try read(folder + "/production/default.json") == Desk.text(live))
            #expect(try await again.findings() == [])
        }
    }

    @Test("the newest edit wins over one that a killed process had moved aside")
    func newer() async throws {
        try await desk.put("one")
        try await desk.put("two")
        try write(Desk.text("older"), to: desk.store.folder + "/production/.default.json.new")
        try write(Desk.text("newer"), to: path)
        try write(Array("1\n".utf8), to: desk.store.folder + "/.history/written.txt")
        #expect(try started()?.revision?.bytes == Desk.text("newer"))
        #expect(try read(path) == Desk.text("newer"))
    }

    @Test("a folder at a live file's path doesn't prevent publication")
    func folder() async throws {
        try await desk.put("one")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(
            atPath: path + "/kept",
            withIntermediateDirectories: true
        )
        try await desk.put("two")
        try await desk.put("three")
        #expect(try started()?.revision?.bytes == Desk.text("three"))
        #expect(FileManager.default.fileExists(atPath: path + "/kept"))
        // Once it is removed, the file is written without another change.
        try FileManager.default.removeItem(atPath: path)
        #expect(try started()?.revision?.bytes == Desk.text("three"))
        #expect(try read(path) == Desk.text("three"))
    }

    @Test("publishing recreates a removed live file")
    func removed() async throws {
        try await desk.put("one")
        try FileManager.default.removeItem(atPath: path)
        try await desk.put("two")
        #expect(try read(path) == Desk.text("two"))
    }

    @Test("a publication is live even if its file can't be written, and the file follows later")
    func unwritable() async throws {
        try await desk.put("one")
        // Where the file is written before it takes its place.
        let blocking = desk.store.folder + "/production/.default.json.new"
        try FileManager.default.createDirectory(
            atPath: blocking + "/kept",
            withIntermediateDirectories: true
        )
        for (number, word) in [(2, "two"), (3, "three")] {
            let put = try await desk.put(word)
            #expect(put.isLive && put.info.number == number)
            #expect(desk.served == String(decoding: Desk.text(word), as: UTF8.self))
        }
        #expect(try read(path) == Desk.text("one"))
        #expect(try read(desk.store.folder + "/.history/written.txt") == Array("1\n".utf8))
        // Another document's is written meanwhile, and the stale file is no edit.
        let other = try #require(DocumentKey("other"))
        _ = try await desk.documents.put(Desk.text("other"), as: other, by: Desk.bob)
        #expect(try read(desk.store.folder + "/production/other.json") == Desk.text("other"))
        #expect(try started()?.revision?.bytes == Desk.text("three"))
        let head = try await desk.store.backend().head()
        #expect(head.sequence == 4)
        try FileManager.default.removeItem(atPath: blocking)
        #expect(try started()?.revision?.bytes == Desk.text("three"))
        #expect(try read(path) == Desk.text("three"))
        #expect(try read(desk.store.folder + "/.history/written.txt") == Array("4\n".utf8))
        #expect(try await desk.findings() == [])
    }

    @Test("an edit of a file that couldn't be written is the next revision")
    func editOfUnwritten() async throws {
        try await desk.put("one")
        let blocking = desk.store.folder + "/production/.default.json.new"
        try FileManager.default.createDirectory(
            atPath: blocking + "/kept",
            withIntermediateDirectories: true
        )
        try await desk.put("two")
        try write(Desk.text("edited"), to: path)
        try await desk.put("three", isDraft: true)
        #expect(try started()?.revision?.bytes == Desk.text("edited"))
        try FileManager.default.removeItem(atPath: blocking)
        #expect(try started()?.revision?.bytes == Desk.text("edited"))
        #expect(try read(path) == Desk.text("edited"))
        #expect(try await desk.findings() == [])
    }

    @Test("an edit that can't be stored stays in its file and is stored once it can be")
    func unkept() async throws {
        try await desk.put("one")
        let blocking = desk.store.folder + "/.history/.00000002.json.new"
        try FileManager.default.createDirectory(
            atPath: blocking + "/kept",
            withIntermediateDirectories: true
        )
        try write(Desk.text("edited"), to: path)
        #expect(try started()?.revision?.bytes == Desk.text("one"))
        let error = await desk.error { try await desk.put("two") }
        guard case .unavailable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try read(path) == Desk.text("edited"))
        try FileManager.default.removeItem(atPath: blocking)
        try await desk.put("two")
        let edited = try await desk.documents.revision(2, of: desk.key)
        #expect(edited.bytes == Desk.text("edited"))
        #expect(try read(path) == Desk.text("two"))
        #expect(try await desk.findings() == [])
    }

    @Test("a running server completes a write that a killed server left unfinished")
    func leftByAnother() async throws {
        try await desk.put("one")
        try await desk.put("two")
        let watching = Task { await desk.documents.run() }
        defer { watching.cancel() }
        try write(Desk.text("one"), to: path)
        try write(Array("1\n".utf8), to: desk.store.folder + "/.history/written.txt")
        let (path, folder) = (path, desk.store.folder)
        try await eventually("its file is written") {
            try read(path) == Desk.text("two")
                && read(folder + "/.history/written.txt") == Array("2\n".utf8)
        }
        let head = try await desk.store.backend().head()
        #expect(head.sequence == 2)
    }

    @Test("an unreadable history is an unavailable store")
    func unreadable() async throws {
        try await desk.put("one")
        let change = desk.store.folder + "/.history/00000001.json"
        try FileManager.default.removeItem(atPath: change)
        try FileManager.default.createDirectory(atPath: change, withIntermediateDirectories: true)
        let documents = try desk.elsewhere()
        for error in [
            await desk.error { try await documents.revision(1, of: desk.key) },
            await desk.error {
                try await documents.put(Desk.text("two"), as: desk.key, by: Desk.ada)
            },
        ] {
            guard case .unavailable(let reason) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(reason.contains("00000001.json"))
        }
    }

    @Test("a symbolic link at a temporary file's path isn't followed")
    func link() async throws {
        try await desk.put("first")
        let other = desk.store.folder + "/other"
        try write(Array("stays".utf8), to: other)
        let history = desk.store.folder + "/.history"
        for place in [
            desk.store.folder + "/production/.default.json.new", history + "/.written.new",
            history + "/.00000002.json.new", history + "/production/default/.2.json.new",
        ] {
            try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: other)
        }
        try await desk.put("second")
        #expect(try read(other) == Array("stays".utf8))
        #expect(try read(path) == Desk.text("second"))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.type] as? FileAttributeType == .typeRegular)
    }

    @Test("a live file is written even if written.txt names a later change")
    func writtenAhead() async throws {
        try await desk.put("first")
        try write(Array("9\n".utf8), to: desk.store.folder + "/.history/written.txt")
        try await desk.put("second")
        #expect(try read(path) == Desk.text("second"))
        #expect(try started()?.revision?.bytes == Desk.text("second"))
        #expect(try await desk.documents.history(of: desk.key).map(\.info.number) == [2, 1])
    }

    @Test(
        "a restart keeps a publication although written.txt was ahead and its file unwritable"
    )
    func writtenAheadAndUnwritable() async throws {
        try await desk.put("first")
        try write(Array("9\n".utf8), to: desk.store.folder + "/.history/written.txt")
        try FileManager.default.createDirectory(
            atPath: desk.store.folder + "/production/.default.json.new/kept",
            withIntermediateDirectories: true
        )
        try await desk.put("second")
        #expect(try read(path) == Desk.text("first"))
        #expect(try started()?.revision?.bytes == Desk.text("second"))
        #expect(try await desk.documents.history(of: desk.key).map(\.info.number) == [2, 1])
    }

    @Test("an edit whose base is unreadable isn't overwritten, and is stored later")
    func unreadableEdit() async throws {
        try await desk.put("one")
        let bytes = desk.store.folder + "/.history/production/default/1.json"
        let kept = try read(bytes)
        try write(Desk.text("edited"), to: path)
        // Its base is missing for a while, as in a checkout.
        try FileManager.default.removeItem(atPath: bytes)
        try desk.documents.begin()
        let banner = try #require(DocumentKey("banner"))
        _ = try await desk.documents.put(Desk.text("banner"), as: banner, by: Desk.bob)
        #expect(try read(path) == Desk.text("edited"))
        try write(kept, to: bytes)
        try await desk.put("two")
        let edited = try await desk.documents.revision(2, of: desk.key)
        #expect(edited.bytes == Desk.text("edited") && edited.info.author == "file")
        #expect(try read(path) == Desk.text("two"))
        #expect(try await desk.findings() == [])
    }

    @Test("a live revision with missing bytes blocks no other, and is served once they return")
    func missingBytes() async throws {
        try await desk.put("one")
        let banner = try #require(DocumentKey("banner"))
        _ = try await desk.documents.put(Desk.text("banner"), as: banner, by: Desk.bob)
        let bytes = desk.store.folder + "/.history/production/default/1.json"
        let kept = try read(bytes)
        try FileManager.default.removeItem(atPath: bytes)
        let live = LiveBehaviors()
        let documents = BehaviorDocuments(
            try desk.store.other(),
            as: live,
            logger: KeptStore.quiet
        )
        try documents.begin()
        #expect(live["banner"]?.revision?.bytes == Desk.text("banner"))
        #expect(live["default"] != nil && live["default"]?.revision == nil)
        let running = Task { await documents.run() }
        defer { running.cancel() }
        try write(kept, to: bytes)
        try await eventually("it is served") {
            live["default"]?.revision?.bytes == Desk.text("one")
        }
    }

    @Test("a file at the folder's path is an error at start-up and in verify")
    func noFolder() async throws {
        try FileManager.default.removeItem(atPath: desk.store.folder)
        try write(Desk.text("file"), to: desk.store.folder)
        #expect(throws: (any Error).self) { try desk.documents.begin() }
        await #expect(throws: (any Error).self) { try await desk.findings() }
    }

    @Test("a history that can't be listed is an unavailable store")
    func unlistable() async throws {
        try await desk.put("one")
        // A privileged user can list every folder, but nobody can list a cycle of links.
        let history = desk.store.folder + "/.history"
        try FileManager.default.moveItem(atPath: history, toPath: history + "-kept")
        try FileManager.default.createSymbolicLink(
            atPath: history,
            withDestinationPath: history
        )
        for documents in [desk.documents, try desk.elsewhere()] {
            let error = await desk.error { try await documents.history(of: desk.key).count }
            guard case .unavailable = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }
}
