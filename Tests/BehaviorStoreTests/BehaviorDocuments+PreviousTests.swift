import Foundation
import Logging
import Testing

@testable import BehaviorStore

@Suite("The ways back from a bad release", .timeLimit(.minutes(5)))
struct PreviousTests {
    /// Documents of a store beside a file with the word.
    private func beside(
        _ word: String,
        _ desk: Desk,
        serving environment: String = "production",
        path: String = "/behaviors-\(UUID().uuidString).json"
    ) throws -> (documents: BehaviorDocuments, live: LiveBehaviors, path: String) {
        let path = desk.store.folder + path
        try Data(Desk.text(word)).write(to: URL(fileURLWithPath: path))
        let file = try BehaviorFile(path: path, logger: KeptStore.quiet)
        let live = LiveBehaviors()
        live["default"] = file.live
        let documents = BehaviorDocuments(
            try desk.store.backend(),
            serving: environment,
            as: live,
            insteadOf: file,
            logger: KeptStore.quiet
        )
        try documents.begin()
        return (documents, live, path)
    }

    private func lines(_ documents: BehaviorDocuments, _ key: DocumentKey) async throws -> [String]
    {
        try await documents.history(of: key).map {
            "\($0.info.number) \($0.stage.rawValue) \($0.info.author)"
        }
    }

    @Test(
        "the first publication stores the file's document as revision 1",
        arguments: StoreKind.allCases
    )
    func file(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        let (documents, live, path) = try beside("file", desk)
        let published = try await documents.put(Desk.text("new"), as: desk.key, by: Desk.ada)
        #expect(published.info.number == 2 && published.isLive)
        #expect(live["default"]?.revision?.bytes == Desk.text("new"))
        #expect(try await lines(documents, desk.key) == ["2 live 1", "1 earlier file"])
        let first = try await documents.revision(1, of: desk.key)
        #expect(first.bytes == Desk.text("file"))
        #expect(first.info.message == "Served from \(path) before")
        let back = try await documents.rollback(to: nil, of: desk.key, by: Desk.bob)
        #expect(back.info.number == 3 && back.info.message == "Back to revision 1")
        #expect(live["default"]?.revision?.bytes == Desk.text("file"))
        #expect(try await desk.findings() == [])
        _ = try BehaviorArchive(try await desk.exported())
    }

    @Test("an edited file's last valid document is stored")
    func edited() async throws {
        let desk = try Desk(.sqlite)
        let (documents, live, path) = try beside("file", desk)
        #expect(live["default"]?.revision?.bytes == Desk.text("file"))
        try Data(Desk.text("edited")).write(to: URL(fileURLWithPath: path))
        #expect(try #require(documents.file).refresh())
        try Data("[".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try #require(documents.file).refresh() == false)
        _ = try await documents.put(Desk.text("new"), as: desk.key, by: Desk.ada)
        #expect(try await documents.revision(1, of: desk.key).bytes == Desk.text("edited"))
    }

    @Test(
        "a first draft stores the file's document, too, which stays live",
        arguments: StoreKind.allCases
    )
    func draft(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        let (documents, live, _) = try beside("file", desk)
        try await documents.set(EnvironmentRules(approvals: 1), of: "production", by: Desk.bob)
        _ = try await documents.put(Desk.text("new"), as: desk.key, isDraft: true, by: Desk.ada)
        #expect(try await lines(documents, desk.key) == ["2 draft 1", "1 live file"])
        #expect(live["default"]?.revision?.bytes == Desk.text("file"))
        _ = try await documents.approve(2, of: desk.key, by: Desk.bob)
        _ = try await documents.publish(2, of: desk.key, by: Desk.ada)
        #expect(live["default"]?.revision?.bytes == Desk.text("new"))
        #expect(try await desk.findings() == [])
    }

    @Test("a file belongs to the default document of the served environment only")
    func others() async throws {
        let desk = try Desk(.sqlite)
        let (documents, _, _) = try beside("file", desk, serving: "staging")
        let banner = try #require(DocumentKey("banner", in: "staging"))
        for key in [desk.key, banner] {
            #expect(try await documents.put(Desk.text("x"), as: key, by: Desk.ada).info.number == 1)
        }
        let promoted = try await documents.promote(of: desk.key, to: "staging", by: Desk.ada)
        #expect(promoted.info.number == 2)
        #expect(try await lines(documents, desk.staging) == ["2 live 1", "1 earlier file"])
    }

    @Test("a path that can't be a message stays out of it")
    func path() async throws {
        let desk = try Desk(.sqlite)
        let (documents, _, _) = try beside("file", desk, path: "/a\u{1}b.json")
        _ = try await documents.put(Desk.text("new"), as: desk.key, by: Desk.ada)
        let first = try await documents.revision(1, of: desk.key)
        #expect(first.info.message == "Served from a file before")
    }

    @Test(
        "a precondition counts the file as nothing live, and a rejected change stores nothing",
        arguments: StoreKind.allCases
    )
    func precondition(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        let (documents, live, _) = try beside("file", desk)
        let error = await desk.error {
            try await documents.put(
                Desk.text("new"),
                as: desk.key,
                expecting: .oneOf([1]),
                by: Desk.ada
            )
        }
        #expect(error == .changedSince(live: nil))
        #expect(try await documents.backend.head() == .none)
        #expect(live["default"]?.revision?.bytes == Desk.text("file"))
        _ = try await documents.put(
            Desk.text("new"),
            as: desk.key,
            expecting: .nothing,
            by: Desk.ada
        )
        #expect(try await lines(documents, desk.key).count == 2)
    }

    @Test(
        "a rollback without a number skips drafts, and isn't undone by another one",
        arguments: StoreKind.allCases
    )
    func previous(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        let documents = desk.documents
        try await desk.put("one")
        let only = await desk.error {
            try await documents.rollback(to: nil, of: desk.key, by: Desk.bob)
        }
        #expect(
            only
                == .conflict(
                    "revision 1 is the first one that was live: there is none to go back to"
                )
        )
        try await desk.put("draft", isDraft: true)
        try await desk.put("three")
        try await desk.put("four")
        let back = try await documents.rollback(to: nil, of: desk.key, by: Desk.bob)
        #expect(back.info.number == 5 && back.info.message == "Back to revision 3")
        #expect(desk.served.map { Array($0.utf8) } == Desk.text("three"))
        let again = await desk.error {
            try await documents.rollback(to: nil, of: desk.key, by: Desk.bob)
        }
        #expect(
            again
                == .conflict(
                    "revision 5 went back to revision 3 already: name the revision to go back to, "
                        + "such as 4, which was live before it, or 1, which was live before 3"
                )
        )
        _ = try await documents.rollback(to: 1, of: desk.key, by: Desk.bob)
        #expect(desk.served.map { Array($0.utf8) } == Desk.text("one"))
        #expect(try await desk.findings() == [])
        let missing = await desk.error {
            try await documents.rollback(to: nil, of: desk.staging, by: Desk.bob)
        }
        #expect(missing?.description.hasPrefix("there is no environment staging") == true)
    }
}
