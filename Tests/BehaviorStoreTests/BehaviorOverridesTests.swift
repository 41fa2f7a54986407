import BehaviorStore
import JSONCodec
import JSONPatch
import Testing

/// An environment's overrides, in every kind of store.
@Suite("Overrides")
struct BehaviorOverridesTests {
    private static let document =
        #"[{"name": "Config", "actions": [{"func": "base", "value": "https://staging"}, {"func": "new", "when": {"rollout": 100}}]}]"#
    private static let patch: JSON = [
        ["op": "test", "path": "/0/name", "value": "Config"],
        ["op": "replace", "path": "/0/actions/0/value", "value": "https://production"],
        ["op": "replace", "path": "/0/actions/1/when/rollout", "value": 10],
    ]

    private let carol = Author(id: "3", name: "carol")

    /// A desk where a document is live in staging.
    private func desk(_ kind: StoreKind) async throws -> (desk: Desk, staging: DocumentKey) {
        let desk = try Desk(kind)
        _ = try await desk.documents.put(Array(Self.document.utf8), as: desk.staging, by: Desk.ada)
        return (desk, desk.staging)
    }

    private func text(_ number: Int, _ desk: Desk) async throws -> String {
        let revision = try await desk.documents.revision(number, of: desk.key)
        return String(decoding: revision.bytes, as: UTF8.self)
    }

    private static func expected(_ url: String, _ percentage: Int) -> String {
        document.replacing("https://staging", with: url).replacing("100", with: "\(percentage)")
            .replacing(": ", with: ":").replacing(", ", with: ",")
    }

    @Test(
        "a promotion applies the stored overrides, then the call's, in one change",
        arguments: StoreKind.allCases
    )
    func promotion(kind: StoreKind) async throws {
        let (desk, staging) = try await desk(kind)
        // Before anything is there.
        let kept = try await desk.documents.override(desk.key, with: Self.patch, by: Desk.bob)
        #expect(kept.by == "2" && kept.name == "bob" && kept.at == 1_000_000)
        let before = try await desk.store.backend().head().sequence
        let first = try await desk.documents.promote(of: staging, to: "production", by: Desk.ada)
        let after = try await desk.store.backend().head().sequence
        #expect(after == before + 1)
        #expect(first.isLive)
        let origin = RevisionOrigin(environment: "staging", revision: 1, isOverridden: true)
        #expect(first.origin == origin)
        #expect(first.info.message == "From staging, revision 1, with overrides")
        #expect(try await text(1, desk) == Self.expected("https://production", 10))
        let second = try await desk.documents.promote(
            of: staging,
            to: "production",
            overriddenBy: [["op": "replace", "path": "/0/actions/0/value", "value": "https://eu"]],
            message: "For once",
            by: Desk.ada
        )
        #expect(second.info.message == "For once")
        #expect(try await text(2, desk) == Self.expected("https://eu", 10))
        // What is promoted elsewhere is as it is there.
        let other = try await desk.documents.promote(of: staging, to: "test", by: Desk.ada)
        #expect(other.info.digest != first.info.digest)
        #expect(other.origin?.isOverridden == false)
        let history = try await desk.documents.history(of: desk.key)
        #expect(history.map(\.origin) == [origin, origin])
        let row = try await desk.store.backend().audit(after: before, limit: 1).first
        #expect(row?.change == "promote")
        let notified = try JSON(parsing: (row?.after ?? "").utf8)["origin"]
        #expect(notified?["environment"] == "staging" && notified?["revision"] == 1)
        #expect(notified?["overrides"] == Self.patch)
        #expect(try await desk.findings() == [])
    }

    @Test(
        "setting and removing overrides is recorded; setting the same ones changes nothing",
        arguments: StoreKind.allCases
    )
    func backend(kind: StoreKind) async throws {
        let (desk, staging) = try await desk(kind)
        let none = try await desk.documents.overrides(of: desk.key)
        #expect(none == nil)
        #expect(try await !desk.documents.removeOverrides(of: desk.key, by: Desk.ada))
        let kept = try await desk.documents.override(desk.key, with: Self.patch, by: Desk.ada)
        // Setting the same overrides again changes nothing, and they keep their author.
        let same = try await desk.documents.override(desk.key, with: Self.patch, by: Desk.bob)
        #expect(same == kept)
        let other = try await desk.documents.override(desk.key, with: [], by: Desk.bob)
        #expect(other.by == "2")
        let found = try await desk.documents.overrides(of: desk.key)
        #expect(found == other)
        let store = try desk.store.backend()
        #expect(try await [store.recordCount(.override), store.recordCount(.rules)] == [1, 0])
        // None of another's: what begins alike, and the same document elsewhere.
        let named = try #require(DocumentKey("default-2"))
        for key in [named, staging] {
            let overrides = try await desk.documents.overrides(of: key)
            #expect(overrides == nil)
        }
        let empty = try await desk.documents.promote(of: staging, to: "production", by: Desk.ada)
        #expect(empty.origin?.isOverridden == false)
        #expect(try await text(1, desk) == Self.document)
        #expect(try await desk.documents.removeOverrides(of: desk.key, by: Desk.bob))
        let rows = try await desk.store.backend().audit(after: 1, limit: 100)
        #expect(rows.map(\.change) == ["override", "override", "promote", "override"])
        #expect(rows.map { $0.before == nil } == [true, false, true, false])
        #expect(rows.map { $0.after == nil } == [false, false, false, true])
        #expect(try await desk.findings() == [])
    }

    @Test(
        "overrides that can't be applied prevent a promotion; the error has the location",
        arguments: StoreKind.allCases
    )
    func unfitting(kind: StoreKind) async throws {
        let (desk, staging) = try await desk(kind)
        func refused(_ patch: JSON, isKept: Bool) async throws -> BehaviorStoreError? {
            if isKept {
                _ = try await desk.documents.override(desk.key, with: patch, by: Desk.bob)
            }
            let head = try await desk.store.backend().head()
            let error = await desk.error {
                try await desk.documents.promote(
                    of: staging,
                    to: "production",
                    overriddenBy: isKept ? JSON?.none : patch,
                    by: Desk.ada
                )
            }
            let now = try await desk.store.backend().head()
            #expect(now == head)
            return error
        }
        for isKept in [false, true] {
            let whose =
                isKept ? "the overrides of default in production" : "the overrides of this call"
            let moved = try await refused(
                [["op": "test", "path": "/0/name", "value": "Other"]],
                isKept: isKept
            )
            guard case .unfitting(whose, let fault) = moved else {
                Issue.record("\(String(describing: moved))")
                continue
            }
            #expect(fault.pointer == "/0/name" && fault.operation == 0)
            #expect(fault.message.hasPrefix("the test fails"))
            let gone = try await refused(
                [["op": "remove", "path": "/0/actions/0/value"], ["op": "remove", "path": "/7"]],
                isKept: isKept
            )
            guard case .unfitting(_, let fault) = gone else {
                Issue.record("\(String(describing: gone))")
                continue
            }
            #expect(fault.pointer == "/7" && fault.operation == 1)
            // It can be applied, and what comes of it is no document.
            let wrong = try await refused(
                [["op": "replace", "path": "/0/actions/1/when", "value": ["rollout": 101]]],
                isKept: isKept
            )
            guard case .invalid(let problems) = wrong else {
                Issue.record("\(String(describing: wrong))")
                continue
            }
            #expect(problems.map(\.pointer) == ["/0/actions/1/when/rollout"])
            let doubled = try await refused(
                .array(
                    (0..<40).map { _ in
                        ["op": "copy", "from": "/0/actions", "path": "/0/actions/-"]
                    }
                ),
                isKept: isKept
            )
            guard case .unfitting(_, let fault) = doubled else {
                Issue.record("\(String(describing: doubled))")
                continue
            }
            #expect(fault.kind == .tooLarge)
        }
        let live = try await desk.documents.documents(in: "production")
        #expect(live.isEmpty && desk.served == nil)
    }

    @Test("an invalid JSON Patch is rejected with its location and not stored (RFC 6902 §3, §4)")
    func malformed() async throws {
        let (desk, staging) = try await desk(.sqlite)
        let operation: JSON = ["op": "remove", "path": "/0"]
        for (patch, place) in [
            (7, ""), ([:], ""), ([7], "/0"), ([operation, [:]], "/1/op"),
            ([["op": "fly", "path": "/0"]], "/0/op"), ([["op": "remove", "path": "0"]], "/0/path"),
            ([["op": "add", "path": "/0"]], "/0/value"),
            ([["op": "move", "from": "/0", "path": "/0/1"]], "/0/path"),
            (.array(Array(repeating: operation, count: 1_001)), ""),
        ] as [(JSON, String)] {
            let kept = await desk.error {
                try await desk.documents.override(desk.key, with: patch, by: Desk.ada)
            }
            let given = await desk.error {
                try await desk.documents.promote(
                    of: staging,
                    to: "production",
                    overriddenBy: patch,
                    by: Desk.ada
                )
            }
            for (error, base) in [(kept, "/patch"), (given, "/overrides")] {
                guard case .invalid(let problems) = error else {
                    Issue.record("\(patch): \(String(describing: error))")
                    continue
                }
                #expect(problems.map(\.pointer) == [base + place])
            }
        }
        let long = JSON.string(String(repeating: "x", count: 256 << 10))
        let error = await desk.error {
            try await desk.documents.override(
                desk.key,
                with: [["op": "add", "path": "/0/actions/0/value", "value": long]],
                by: Desk.ada
            )
        }
        guard case .tooMuch = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let none = try await desk.documents.overrides(of: desk.key)
        #expect(none == nil)
    }

    @Test(
        "later changes of the overrides don't change an approved draft",
        arguments: StoreKind.allCases
    )
    func approvals(kind: StoreKind) async throws {
        let (desk, staging) = try await desk(kind)
        let documents = desk.documents
        try await documents.set(EnvironmentRules(approvals: 1), of: "production", by: Desk.bob)
        _ = try await documents.override(desk.key, with: Self.patch, by: Desk.bob)
        let draft = try await documents.promote(of: staging, to: "production", by: Desk.ada)
        #expect(!draft.isLive && draft.origin?.isOverridden == true)
        // Neither who made it nor who wrote what was laid over it.
        for author in [Desk.ada, Desk.bob] {
            let own = await desk.error {
                try await documents.approve(1, of: desk.key, by: author).approvals.count
            }
            guard case .forbidden = own else {
                Issue.record("\(String(describing: own))")
                continue
            }
        }
        let approved = try await documents.approve(1, of: desk.key, by: carol)
        #expect(approved.approvals.map(\.by) == ["3"])
        _ = try await documents.override(
            desk.key,
            with: [["op": "replace", "path": "/0/actions/0/value", "value": "https://evil"]],
            by: Desk.bob
        )
        let published = try await documents.publish(1, of: desk.key, by: Desk.bob)
        #expect(published.origin == draft.origin)
        #expect(published.info.digest == draft.info.digest)
        #expect(try await text(1, desk) == Self.expected("https://production", 10))
        // Another draft has them, and needs approvals of its own.
        let next = try await documents.promote(of: staging, to: "production", by: Desk.ada)
        #expect(next.live == 1)
        let early = await desk.error {
            try await documents.publish(2, of: desk.key, by: Desk.bob)
        }
        guard case .conflict = early else {
            Issue.record("\(String(describing: early))")
            return
        }
        // Without overrides it is between the one who made it and any other.
        _ = try await documents.removeOverrides(of: desk.key, by: Desk.bob)
        _ = try await documents.promote(of: staging, to: "production", by: Desk.ada)
        let plain = try await documents.approve(3, of: desk.key, by: Desk.bob)
        #expect(plain.approvals.map(\.by) == ["2"])
    }

    @Test("an archive contains overrides and origins")
    func archives() async throws {
        let (desk, staging) = try await desk(.sqlite)
        _ = try await desk.documents.override(desk.key, with: Self.patch, by: Desk.bob)
        _ = try await desk.documents.promote(of: staging, to: "production", by: Desk.ada)
        let other = try Desk(.sqlite)
        try await other.documents.load(BehaviorArchive(desk.exported()), by: Desk.bob)
        let (mine, theirs) = (
            try await desk.documents.overrides(of: desk.key),
            try await other.documents.overrides(of: desk.key)
        )
        #expect(mine == theirs && mine != nil)
        let origins = try await other.documents.history(of: desk.key).map(\.origin?.isOverridden)
        #expect(origins == [true])
    }
}
