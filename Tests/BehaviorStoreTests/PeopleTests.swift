import JSONCodec
import Locking
import Testing

@testable import BehaviorStore

@Suite("Two people are two people, and a permission counts when it takes effect")
struct PeopleTests {
    private static let kelvin = "\u{212A}ate"

    @Test(
        "names that look the same are one person's (NFKC_Casefold, Unicode §3.13)",
        arguments: [
            ("Dave", "dave"), ("Dave", "Dave "), ("Dave", "\u{A0}dave\t"), ("Dave", "D\u{200B}ave"),
            ("Dave", "Ｄａｖｅ"), ("Dave", "𝐃𝒶𝖛𝚎"), ("Dave", "Ⓓave"), ("Kate", kelvin),
            ("José", "Jose\u{301}"), ("STRASSE", "straße"), ("ﬁona", "Fiona"), ("ΝΙΚΟΣ", "νικος"),
            ("ΝΙΚΟΣ", "νικοσ"),
            ("ada  l", "Ada L"), ("Ｄａｖｅ１", "dave1"), ("\u{1C5}a", "\u{1C4}A"),
        ]
    )
    func same(one: String, other: String) {
        #expect(PersonName(one) == PersonName(other))
        #expect(PersonName(one).isComparable || one.contains("\u{1C5}"))
    }

    @Test(
        "other names are other people's",
        arguments: [("Dave", "Dan"), ("Jose", "José"), ("ada l", "adal"), ("dave1", "dave2")]
    )
    func different(one: String, other: String) {
        #expect(PersonName(one) != PersonName(other))
    }

    @Test("nothing visible is no name", arguments: ["", " ", "\u{200B}", "\u{3000}\u{AD}"])
    func empty(name: String) { #expect(PersonName(name).isEmpty) }

    @Test(
        "a compatibility character without a plain form is reported, as its letters aren't known",
        arguments: ["㎏", "ﷺ", "Ada㏂"]
    )
    func incomparable(name: String) { #expect(!PersonName(name).isComparable) }

    @Test("everyday names are comparable", arguments: ["ada", "Łukasz", "李小龍", "Зоя", "محمد", "김"])
    func everyday(name: String) { #expect(PersonName(name).isComparable) }

    private func forbidden(_ desk: Desk, _ author: Author) async -> Bool {
        let error = await desk.error {
            try await desk.documents.approve(1, of: desk.key, by: author).info.number
        }
        if case .forbidden = error { return true }
        return false
    }

    @Test("an approver needs a name of another person", arguments: StoreKind.allCases)
    func approver(kind: StoreKind) async throws {
        let (desk, _) = try await Team().desk(kind)
        let dave = Author(id: "6", name: "Dave")
        _ = try await desk.documents.put(Desk.text("one"), as: desk.key, isDraft: true, by: dave)
        for name in ["", " ", "\u{200B}", "dave", "Dave ", "Ｄａｖｅ", "㎏"] {
            #expect(await forbidden(desk, Author(id: "7", name: name)), "\(name)")
        }
        #expect(await !forbidden(desk, Team.carol))
        #expect(try await desk.findings() == [])
    }

    @Test("two without a name can't make and approve a draft", arguments: StoreKind.allCases)
    func nameless(kind: StoreKind) async throws {
        let (desk, _) = try await Team().desk(kind)
        _ = try await desk.documents.put(
            Desk.text("one"),
            as: desk.key,
            isDraft: true,
            by: Author(id: "6")
        )
        #expect(await forbidden(desk, Author(id: "7")))
        #expect(
            await desk.error { try await desk.documents.publish(1, of: desk.key, by: Team.eve) }
                != nil
        )
    }

    @Test(
        "a draft of an author without a name can't be approved, nor one with their overrides",
        arguments: StoreKind.allCases
    )
    func namelessAuthor(kind: StoreKind) async throws {
        for name in ["", " ", "\u{200B}"] {
            let (desk, _) = try await Team().desk(kind)
            let nameless = Author(id: "6", name: name)
            let documents = desk.documents
            _ = try await documents.put(
                Desk.text("one"),
                as: desk.key,
                isDraft: true,
                by: nameless
            )
            _ = try await documents.put(Desk.text("two"), as: desk.staging, by: Desk.ada)
            _ = try await documents.override(
                desk.key,
                with: [["op": "add", "path": "/0/kept", "value": 1]],
                by: nameless
            )
            _ = try await documents.promote(of: desk.staging, to: "production", by: Desk.ada)
            for number in [1, 2] {
                let error = await desk.error {
                    try await documents.approve(number, of: desk.key, by: Team.carol).info.number
                }
                #expect("\(String(describing: error))".contains("with a named token"))
            }
            _ = try await documents.put(Desk.text("3"), as: desk.key, isDraft: true, by: Desk.ada)
            _ = try await documents.approve(3, of: desk.key, by: Team.carol)
            #expect(try await desk.findings() == [])
        }
    }

    @Test("a draft of a folder's files can be approved: an edit has no name")
    func editor() async throws {
        #expect(Contributor(Author.editor.id, name: "").isIdentifiable)
        #expect(!Contributor("", name: "").isIdentifiable)
        #expect(!Contributor("files", name: "").isIdentifiable)
    }

    @Test("the number of approvals is one of people", arguments: StoreKind.allCases)
    func count(kind: StoreKind) async throws {
        let ended = Locked<Set<String>>([])
        let (desk, documents) = try await desk(kind, ended)
        try await documents.set(EnvironmentRules(approvals: 2), of: "production", by: Team.eve)
        try await desk.put("one", isDraft: true)
        for author in [Author(id: "6", name: "Dave"), Author(id: "7", name: "dave ")] {
            let approved = try await documents.approve(1, of: desk.key, by: author)
            #expect(approved.approvals.map(\.by) == ["6"])
        }
        // Dave's first token ends, so the second one approves.
        ended.withLock { $0 = ["6"] }
        let again = try await documents.approve(1, of: desk.key, by: Author(id: "7", name: "dave "))
        #expect(again.approvals.map(\.by) == ["6", "7"])
        ended.withLock { $0 = [] }
        let error = await desk.error { try await documents.publish(1, of: desk.key, by: Team.eve) }
        #expect("\(String(describing: error))".contains("has 1"))
        _ = try await documents.approve(1, of: desk.key, by: Team.carol)
        _ = try await documents.publish(1, of: desk.key, by: Team.eve)
        #expect(try await desk.findings() == [])
    }

    /// A desk whose documents know the authors whose permissions have ended.
    private func desk(
        _ kind: StoreKind,
        _ ended: Locked<Set<String>>,
        unknown: Set<String> = [],
        now: @escaping @Sendable () -> Int = { 1_000_000 }
    ) async throws -> (desk: Desk, documents: BehaviorDocuments) {
        let desk = try Desk(kind)
        let standing = AuthorStanding { author, _, _ in
            if unknown.contains(author) { return .unknown("no token \(author) here") }
            return ended.withLock { $0.contains(author) } ? .ended("its token was revoked") : .valid
        }
        let documents = BehaviorDocuments(
            try desk.store.backend(),
            as: desk.live,
            standing: standing,
            logger: KeptStore.quiet,
            now: now
        )
        return (desk, documents)
    }

    @Test(
        "an approval by a revoked token doesn't count at publication, nor a roll-back's",
        arguments: StoreKind.allCases
    )
    func revokedApproval(kind: StoreKind) async throws {
        let ended = Locked<Set<String>>([])
        let (desk, documents) = try await desk(kind, ended)
        try await documents.set(EnvironmentRules(approvals: 1), of: "production", by: Team.eve)
        try await desk.put("one", isDraft: true)
        _ = try await documents.approve(1, of: desk.key, by: Desk.bob)
        ended.withLock { $0 = [Desk.bob.id] }
        let published = await desk.error {
            try await documents.publish(1, of: desk.key, by: Desk.ada)
        }
        let said = "the approval by bob doesn't count: its token was revoked"
        #expect("\(String(describing: published))".contains(said))
        let back = await desk.error {
            try await documents.rollback(to: 1, of: desk.key, by: Desk.ada)
        }
        #expect(back != nil)
        ended.withLock { $0 = [] }
        _ = try await documents.publish(1, of: desk.key, by: Desk.ada)
        #expect(try await desk.findings() == [])
    }

    @Test("a schedule of a revoked token ends without effect", arguments: StoreKind.allCases)
    func revokedSchedule(kind: StoreKind) async throws {
        let ended = Locked<Set<String>>([])
        let clock = Locked(1_000_000)
        let (desk, documents) = try await desk(kind, ended) { clock.withLock { $0 } }
        _ = try await documents.put(Desk.text("one"), as: desk.key, isDraft: true, by: Desk.ada)
        _ = try await documents.schedule(1, of: desk.key, at: 1_000_100, by: Desk.bob)
        ended.withLock { $0 = [Desk.bob.id] }
        clock.withLock { $0 = 1_000_200 }
        try await documents.fire(at: 1_000_200)
        #expect(try await documents.schedules(of: desk.key) == [])
        #expect(desk.served == nil)
        let row = try await documents.backend.audit(before: nil, limit: 1).first
        #expect(row?.kind == .scheduleEnded)
        #expect(row?.after?.contains("may not publish any more: its token was revoked") == true)
        #expect(try await desk.findings() == [])
    }

    @Test("a schedule whose author another server may know waits", arguments: StoreKind.allCases)
    func unknownSchedule(kind: StoreKind) async throws {
        let (desk, documents) = try await desk(kind, Locked([]), unknown: [Desk.bob.id])
        _ = try await documents.put(Desk.text("one"), as: desk.key, isDraft: true, by: Desk.ada)
        _ = try await documents.schedule(1, of: desk.key, at: 1_000_000, by: Desk.bob)
        await #expect(throws: BehaviorStoreError.self) { try await documents.fire(at: 1_000_000) }
        #expect(try await documents.schedules(of: desk.key).count == 1)
        #expect(desk.served == nil)
        try await BehaviorDocuments(desk.store.other(), as: desk.live, logger: KeptStore.quiet)
            .fire(at: 1_000_000)
        #expect(try await documents.schedules(of: desk.key) == [])
    }

    @Test("people's numbers are compared by their bytes")
    func numbers() {
        let kate = Contributor("certificate CN=Kate", name: "")
        #expect(!kate.isSame(as: Author(id: "certificate CN=\(Self.kelvin)")))
        #expect(kate != Contributor("certificate CN=\(Self.kelvin)", name: ""))
        #expect([kate].each(beside: Author(id: "certificate CN=\(Self.kelvin)")).count == 1)
    }
}
