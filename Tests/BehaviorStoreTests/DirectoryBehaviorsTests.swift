import Eventually
import Foundation
import TestLog
import Testing

@testable import BehaviorStore

@Suite("Behavior documents in a folder")
struct DirectoryBehaviorsTests {
    private func path(_ desk: Desk, _ file: String = "production/default.json") -> String {
        desk.store.folder + "/" + file
    }

    private func read(_ path: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        let url = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: url)
    }

    @Test("a new revision keeps the live file's permissions")
    func permissions() async throws {
        let desk = try Desk(.directory)
        try await desk.put("one")
        #expect(chmod(path(desk), 0o664) == 0)
        try await desk.put("two")
        let mode = try FileManager.default.attributesOfItem(atPath: path(desk))[.posixPermissions]
        #expect(mode as? Int == 0o664)
    }

    @Test("only the owner can access a new folder and its files")
    func privacy() async throws {
        let desk = try Desk(.directory)
        try FileManager.default.removeItem(atPath: desk.store.folder)
        try await desk.put("one")
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(desk.store.folder) == 0o700)
        #expect(try mode(desk.store.folder + "/.history") == 0o700)
        #expect(try mode(path(desk)) == 0o600)
    }

    @Test("a misnamed file is logged once, with its name on one line")
    func strays() async throws {
        let desk = try Desk(.directory)
        for name in ["Bad_Name", "two\nlines", "default"] {
            try write(Desk.text("one"), to: path(desk, "production/\(name).json"))
        }
        try write(Desk.text("one"), to: path(desk, "default.json"))
        try write(Desk.text("one"), to: path(desk, "Staging/default.json"))
        try write([], to: path(desk, "production/README.md"))
        let journal = Journal()
        let backend = DirectoryBehaviors(desk.store.folder, logger: journal.logger)
        for _ in 0..<2 { try backend.takeEdits() }
        let notified = journal.lines.filter { $0.hasPrefix("warning: ") }
        #expect(
            notified.compactMap { $0.split(separator: " is ignored").first } == [
                #"warning: behaviors: "Staging/default.json""#,
                #"warning: behaviors: "default.json""#,
                #"warning: behaviors: "production/Bad_Name.json""#,
                #"warning: behaviors: "production/two\nlines.json""#,
            ]
        )
        #expect(journal.lines.count == 5)
    }

    @Test("the live document and each revision have files")
    func files() async throws {
        let desk = try Desk(.directory)
        try await desk.put("one")
        try await desk.put("two")
        try await desk.put("three", isDraft: true)
        #expect(try read(path(desk)) == Desk.text("two"))
        for (number, word) in [(1, "one"), (2, "two"), (3, "three")] {
            #expect(
                try read(path(desk, ".history/production/default/\(number).json"))
                    == Desk.text(word)
            )
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: path(desk, ".history"))
        #expect(
            names.sorted()
                == ["00000001.json", "00000002.json", "00000003.json", "production", "written.txt"]
        )
    }

    @Test("an edit of the file goes live as a revision with an audit row")
    func edit() async throws {
        let desk = try Desk(.directory)
        try await desk.put("one")
        let live = try #require(desk.live["default"])
        let watching = Task { await desk.documents.run() }
        defer { watching.cancel() }
        try write(Desk.text("edited"), to: path(desk))
        try await eventually("the edit is live") { live.revision?.bytes == Desk.text("edited") }
        let rows = try await desk.store.backend().audit(after: 1, limit: 10)
        #expect(rows.map(\.change) == ["publish"])
        #expect(rows.map(\.author) == [Author.editor])
        #expect(try await desk.findings() == [])
        let back = try await desk.documents.rollback(to: 1, of: desk.key, by: Desk.bob)
        #expect(back.info.number == 3)
        #expect(try read(path(desk)) == Desk.text("one"))
    }

    @Test("an invalid edit changes nothing")
    func badEdit() async throws {
        let desk = try Desk(.directory)
        try await desk.put("one")
        for text in ["[{", #"[{"name": 1, "actions": []}]"#, ""] {
            try write(Array(text.utf8), to: path(desk))
            let started = LiveBehaviors()
            try BehaviorDocuments(desk.store.backend(), as: started).begin()
            #expect(started["default"]?.revision?.bytes == Desk.text("one"))
        }
        let head = try await desk.store.backend().head()
        #expect(head.sequence == 1)
    }

    @Test(
        "a publication doesn't overwrite an edit that wasn't read yet"
    )
    func editBeforePublish() async throws {
        let desk = try Desk(.directory)
        try await desk.put("one")
        try write(Desk.text("edited"), to: path(desk))
        let error = await desk.error {
            try await desk.documents.put(
                Desk.text("two"),
                as: desk.key,
                expecting: .oneOf([1]),
                by: Desk.ada
            )
        }
        #expect(error == .changedSince(live: 2))
        #expect(try read(path(desk)) == Desk.text("edited"))
        let put = try await desk.put("three")
        #expect(put.info.number == 3)
        let second = try await desk.documents.revision(2, of: desk.key)
        #expect(second.bytes == Desk.text("edited"))
    }

    @Test("existing files without a history are served as first revisions")
    func cloned() async throws {
        let desk = try Desk(.directory)
        try write(Desk.text("one"), to: path(desk))
        try write(Desk.text("other"), to: path(desk, "staging/checkout.json"))
        try write(Desk.text("no name"), to: path(desk, "production/Not a name.json"))
        try desk.documents.begin()
        #expect(desk.served == String(decoding: Desk.text("one"), as: UTF8.self))
        let keys = try await desk.store.backend().documents().map(\.key)
        #expect(keys.map(\.description) == ["default in production", "checkout in staging"])
    }

    @Test("a live file that a power failure left unwritten is written at start-up")
    func cut() async throws {
        let desk = try Desk(.directory)
        try await desk.put("one")
        try await desk.put("two")
        // As it is between the change's file and the live one.
        try write(Desk.text("one"), to: path(desk))
        try write(Array("1\n".utf8), to: path(desk, ".history/written.txt"))
        let started = LiveBehaviors()
        try BehaviorDocuments(desk.store.backend(), as: started).begin()
        #expect(started["default"]?.revision?.bytes == Desk.text("two"))
        #expect(try read(path(desk)) == Desk.text("two"))
        let head = try await desk.store.backend().head()
        #expect(head.sequence == 2)
    }

    @Test("an edited audit row and a removed change are found")
    func tampered() async throws {
        let desk = try Desk(.directory)
        for word in ["one", "two", "three"] { try await desk.put(word) }
        let second = path(desk, ".history/00000002.json")
        let text = String(decoding: try read(second), as: UTF8.self)
        try write(Array(text.replacing("\"ada\"", with: "\"eve\"").utf8), to: second)
        let edited = try await AuditCheck(desk.store.backend())
        #expect(edited.findings.contains { $0.hasPrefix("row 2 was edited") })
        try FileManager.default.removeItem(atPath: second)
        let removed = try await AuditCheck(desk.store.other())
        #expect(removed.findings.contains("row 2 is missing"))
        #expect(removed.findings.contains("default in production: revision 2 is missing") == false)
    }

    /// Returns the findings after a file has got another text.
    private func findings(
        _ file: String,
        _ old: String,
        _ new: String
    ) async throws -> [String] {
        let desk = try Desk(.directory)
        try await desk.put("one")
        try await desk.documents.set(EnvironmentRules(approvals: 1), of: "production", by: Desk.bob)
        try await desk.put("two", isDraft: true)
        _ = try await desk.documents.approve(2, of: desk.key, by: Desk.bob)
        let path = path(desk, ".history/" + file)
        let text = String(decoding: try read(path), as: UTF8.self)
        #expect(text.contains(old))
        try write(Array(text.replacing(old, with: new).utf8), to: path)
        return try await AuditCheck(desk.store.other()).findings
    }

    @Test("edited files of approvals, rules and revisions are found")
    func editedRecords() async throws {
        let value = "\"value\": \"{\\\"approvals\\\":"
        let rules = try await findings("00000002.json", value + "1", value + "0")
        #expect(rules == ["the rules of production: the value differs from the rows"])
        let approval = try await findings(
            "00000004.json",
            "\\\"by\\\":\\\"2\\\"",
            "\\\"by\\\":\\\"3\\\""
        )
        #expect(approval == ["draft 2 of default in production: the value differs from the rows"])
        let bytes = try await findings("production/default/1.json", "one", "eno")
        #expect(bytes == ["default in production: revision 1 doesn't match its digest"])
        let live = try await findings("00000003.json", "\"live\": 1", "\"live\": 2")
        #expect(live.contains { $0.contains("revision 2 is live, but the rows say revision 1") })
    }

    @Test("inserted and truncated rows in a file are found")
    func insertedAndCut() async throws {
        let desk = try Desk(.directory)
        for word in ["one", "two", "three"] { try await desk.put(word) }
        let second = path(desk, ".history/00000002.json")
        let text = String(decoding: try read(second), as: UTF8.self)
        let start = try #require(text.firstRange(of: "\"audit\": [")).upperBound
        let end = try #require(text.firstRange(of: "],")).lowerBound
        try write(
            Array((text[..<end] + "," + text[start..<end] + text[end...]).utf8),
            to: second
        )
        let inserted = try await AuditCheck(desk.store.other())
        #expect(inserted.findings == ["row 2 was inserted: another row has that number"])
        try write(Array(text.utf8), to: second)
        try FileManager.default.removeItem(atPath: path(desk, ".history/00000003.json"))
        let cut = try await AuditCheck(desk.store.other())
        #expect(cut.findings.count == 1)
        #expect(cut.findings[0].hasPrefix("the last row is row 2, but "))
        #expect(cut.findings[0].hasSuffix(".history/written.txt names row 3"))
    }

    @Test("missing bytes are found, and an invalid change is reported with its file")
    func broken() async throws {
        let desk = try Desk(.directory)
        try await desk.put("one")
        try await desk.put("two")
        try FileManager.default.removeItem(atPath: path(desk, ".history/production/default/1.json"))
        let check = try await AuditCheck(desk.store.other())
        #expect(check.findings.count == 1)
        #expect(check.findings[0].contains("revision 1 can't be read"))
        try write(Array("{".utf8), to: path(desk, ".history/00000002.json"))
        let error = await #expect(throws: (any Error).self) {
            try await AuditCheck(desk.store.other())
        }
        #expect(error.map { "\($0)".contains(".history/00000002.json: ") } == true)
    }

    @Test("an invalid document name in a change is reported with its file")
    func names() async throws {
        let desk = try Desk(.directory)
        try await desk.put("one")
        let change = path(desk, ".history/00000001.json")
        let text = String(decoding: try read(change), as: UTF8.self)
        let key = #""name": "default""#
        #expect(text.contains(key))
        try write(Array(text.replacing(key, with: #""name": "../default""#).utf8), to: change)
        let error = await #expect(throws: (any Error).self) {
            try await AuditCheck(desk.store.other())
        }
        let message = error.map { "\($0)" } ?? ""
        #expect(message.contains(".history/00000001.json"), "\(message)")
        #expect(message.contains("each a lowercase letter or digit"), "\(message)")
    }
}
