import System
import Eventually
import Foundation
import Testing

@testable import BehaviorStore

/// A checkout of another branch by git: the files of one history replace another's.
@Suite("Replacement of a folder's history")
struct DirectoryHistoryTests {
    private let desk: Desk
    private let folder: String
    private let path: String

    init() throws {
        desk = try Desk(.directory)
        folder = desk.store.folder
        path = folder + "/production/default.json"
    }

    private func read(_ path: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// The folder as it is, to be put back, beside it.
    private func kept(_ name: String) throws -> String {
        let copy = folder + "-" + name
        try FileManager.default.copyItem(atPath: folder, toPath: copy)
        return copy
    }

    /// Puts some of a copy's files back, each in the place of what is there.
    private func checkOut(_ copy: String, _ places: [String]) throws {
        for place in places {
            let target = folder + "/" + place
            try? FileManager.default.removeItem(atPath: target)
            try FileManager.default.copyItem(atPath: copy + "/" + place, toPath: target)
        }
    }

    /// Two histories of the same length, the first of which was there before.
    private func branches() async throws -> String {
        try await desk.put("one")
        let base = try kept("base")
        try await desk.put("main")
        let main = try kept("main")
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.copyItem(atPath: base, toPath: folder)
        try await desk.put("branch")
        try await desk.documents.refresh()
        #expect(desk.served == String(decoding: Desk.text("branch"), as: UTF8.self))
        try FileManager.default.removeItem(atPath: base)
        return main
    }

    @Test("a replaced history of the same length is served and continued")
    func asLong() async throws {
        let main = try await branches()
        defer { try? FileManager.default.removeItem(atPath: main) }
        let watching = Task { await desk.documents.run() }
        defer { watching.cancel() }
        let live = try #require(desk.live["default"])
        try checkOut(main, [".history", "production"])
        try await eventually("the other history is served") {
            live.revision?.bytes == Desk.text("main")
        }
        let put = try await desk.put("later")
        #expect(put.info.number == 3)
        #expect(try await desk.findings() == [])
    }

    @Test("a new history's live files aren't mistaken for edits if they arrive late")
    func filesLast() async throws {
        let main = try await branches()
        defer { try? FileManager.default.removeItem(atPath: main) }
        try checkOut(main, [".history"])
        _ = try desk.documents.begin()
        let head = try await desk.store.backend().head()
        #expect(head.sequence == 2)
        #expect(try read(path) == Desk.text("main"))
        try checkOut(main, ["production"])
        try await desk.put("later")
        #expect(try await desk.documents.history(of: desk.key).map(\.info.number) == [3, 2, 1])
        #expect(try await desk.findings() == [])
    }

    @Test("documents missing from the replaced history are no longer served")
    func fewer() async throws {
        try await desk.put("one")
        let base = try kept("base")
        defer { try? FileManager.default.removeItem(atPath: base) }
        let other = try #require(DocumentKey("other"))
        _ = try await desk.documents.put(Desk.text("other"), as: other, by: Desk.bob)
        #expect(desk.live["other"] != nil)
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.copyItem(atPath: base, toPath: folder)
        try await desk.documents.refresh()
        #expect(desk.live["other"] == nil)
        #expect(desk.served == String(decoding: Desk.text("one"), as: UTF8.self))
        let put = try await desk.documents.put(Desk.text("new"), as: other, by: Desk.bob)
        #expect(put.info.number == 1)
        #expect(desk.live["other"]?.revision?.bytes == Desk.text("new"))
    }

    @Test(
        "changes whose files arrive in any order are accepted, as when a folder is restored"
    )
    func late() async throws {
        try await desk.put("one")
        let rules = EnvironmentRules(approvals: 1)
        try await desk.documents.set(rules, of: "production", by: Desk.bob)
        try await desk.put("two", isDraft: true)
        let copy = try kept("copy")
        defer { try? FileManager.default.removeItem(atPath: copy) }
        let files = (1...3).map { ".history/0000000\($0).json" }
        for file in files { try FileManager.default.removeItem(atPath: folder + "/" + file) }
        for file in [files[2], files[0], files[1]] {
            if file == files[2] {
                // None of the changes that were there is.
                let error = await desk.error { try await desk.documents.rules(of: "production") }
                guard case .unavailable = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
            } else {
                #expect(try await desk.documents.rules(of: "production") == EnvironmentRules())
            }
            try checkOut(copy, [file])
            guard file != files[1] else { break }
            // What is missing yet may forbid it.
            let error = await desk.error { try await desk.put("early").info.number }
            guard case .unavailable = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(try await desk.documents.rules(of: "production") == rules)
        let error = await desk.error { try await desk.put("three").info.number }
        guard case .conflict = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await desk.findings() == [])
    }

    @Test("publishing fails while an earlier change's file is missing")
    func ahead() async throws {
        try await desk.put("one")
        let base = try kept("base")
        for word in ["two", "three", "four"] { try await desk.put(word) }
        let copy = try kept("copy")
        defer {
            for path in [base, copy] { try? FileManager.default.removeItem(atPath: path) }
        }
        try checkOut(base, [".history", "production"])
        try await desk.documents.refresh()
        try checkOut(copy, [".history/00000003.json", ".history/00000004.json"])
        let error = await desk.error { try await desk.put("early").info.number }
        guard case .unavailable(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("00000002.json"))
        try checkOut(copy, [".history", "production"])
        #expect(try await desk.put("five").info.number == 5)
        #expect(try await desk.findings() == [])
    }

    @Test("a missing folder isn't created again, and live revisions stay live")
    func away() async throws {
        try await desk.put("one")
        let other = folder + "-away"
        defer { try? FileManager.default.removeItem(atPath: other) }
        try FileManager.default.moveItem(atPath: folder, toPath: other)
        for _ in 0..<2 {
            await #expect(throws: (any Error).self) { try await desk.documents.refresh() }
            let error = await desk.error { try await desk.put("two") }
            guard case .unavailable = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(!FileManager.default.fileExists(atPath: folder))
        #expect(desk.served == String(decoding: Desk.text("one"), as: UTF8.self))
        try FileManager.default.moveItem(atPath: other, toPath: folder)
        #expect(try await desk.put("two").info.number == 2)
        #expect(try await desk.findings() == [])
    }

    @Test("a folder that is suddenly empty, as after an unmount, counts as missing")
    func unmounted() async throws {
        try await desk.put("one")
        let other = folder + "-away"
        defer { try? FileManager.default.removeItem(atPath: other) }
        try FileManager.default.moveItem(atPath: folder, toPath: other)
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: false
        )
        #expect(desk.documents.loss?.hasSuffix("are missing") == true)
        await #expect(throws: BehaviorStoreError.self) { try await desk.documents.refresh() }
        let error = await desk.error { try await desk.put("two") }
        guard case .unavailable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        #expect(desk.served == String(decoding: Desk.text("one"), as: UTF8.self))
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.moveItem(atPath: other, toPath: folder)
        #expect(desk.documents.loss == nil)
        #expect(try await desk.put("two").info.number == 2)
        #expect(try await desk.findings() == [])
    }

    @Test(
        "a removed history counts as missing until the server restarts, despite live files"
    )
    func removed() async throws {
        try await desk.put("one")
        try await desk.documents.set(EnvironmentRules(approvals: 1), of: "production", by: Desk.bob)
        try await desk.documents.refresh()
        try FileManager.default.removeItem(atPath: folder + "/.history")
        await #expect(throws: BehaviorStoreError.self) { try await desk.documents.refresh() }
        #expect(desk.documents.loss != nil)
        let error = await desk.error { try await desk.put("two") }
        guard case .unavailable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(desk.served == String(decoding: Desk.text("one"), as: UTF8.self))
        #expect(try read(path) == Desk.text("one"))
        try Data(Desk.text("edited")).write(to: URL(fileURLWithPath: path))
        let backend = try #require(desk.documents.backend as? DirectoryBehaviors)
        #expect(throws: (any Error).self) { try backend.takeEdits() }
        #expect(!FileManager.default.fileExists(atPath: folder + "/.history"))
        try Data(Desk.text("one")).write(to: URL(fileURLWithPath: path))
        let live = LiveBehaviors()
        let anew = BehaviorDocuments(try desk.store.other(), as: live)
        try anew.begin()
        #expect(live["default"]?.revision?.bytes == Desk.text("one"))
        #expect(try await anew.revision(1, of: desk.key).info.author == "file")
    }

    @Test(
        "the default document is withdrawn while the history lacks it"
    )
    func withoutDefault() async throws {
        let other = try #require(DocumentKey("other"))
        _ = try await desk.documents.put(Desk.text("other"), as: other, by: Desk.bob)
        let base = try kept("base")
        try await desk.put("one")
        let main = try kept("main")
        defer {
            for path in [base, main] { try? FileManager.default.removeItem(atPath: path) }
        }
        // This file replaced the served one, which stays the same document.
        let live = try #require(desk.live["default"])
        try FileManager.default.removeItem(atPath: path)
        try checkOut(base, [".history", "production"])
        try await desk.documents.refresh()
        #expect(live.revision == nil)
        try checkOut(main, [".history", "production"])
        try await desk.documents.refresh()
        #expect(live.revision?.bytes == Desk.text("one"))
        try await desk.put("two")
        #expect(live.revision?.bytes == Desk.text("two"))
    }

    @Test("a history of another version is rejected at start-up, and nothing is written")
    func otherVersion() async throws {
        try await desk.put("one")
        let change = folder + "/.history/00000001.json"
        let text = String(decoding: try read(change), as: UTF8.self)
        let other = text.replacing("\"format\": 1", with: "\"format\": 3")
        #expect(other != text)
        try Data(other.utf8).write(to: URL(fileURLWithPath: change))
        try Data(Desk.text("edited")).write(to: URL(fileURLWithPath: path))
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        let error = #expect(throws: FileError.self) {
            try BehaviorDocuments(try desk.store.other()).begin()
        }
        #expect(
            error?.description
                == "\(change): has the format 3, and this version knows 2; start the version that wrote "
                + "it, or choose another folder"
        )
        #expect(try read(change) == Array(other.utf8))
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder) == names)
    }
}
