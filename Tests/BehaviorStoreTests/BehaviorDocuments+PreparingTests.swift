import BehaviorStore
import JSONCodec
import Locking
import Testing

/// Changes that are prepared outside the queue, in every kind of store.
@Suite("Changes with slow preparation")
struct BehaviorDocumentsPreparingTests {
    private static let add = #"[{"op": "add", "path": "/0/late", "value": true}]"#

    /// A patch that is applied, or a promotion.
    enum Change: CaseIterable { case patch, promotion }

    /// The desk's documents, in which something happens before a revision of staging is read.
    private func documents(
        of desk: Desk,
        beforeReading hook: @escaping @Sendable () async throws -> Void
    ) throws -> BehaviorDocuments {
        var hooks = HookedBehaviors.Hooks()
        hooks.beforeRevision = { key in
            if key.environment == "staging" { try await hook() }
        }
        return try desk.documents(with: hooks)
    }

    private func make(
        _ change: Change,
        _ documents: BehaviorDocuments,
        _ staging: DocumentKey,
        expecting expected: ExpectedRevision = .any
    ) async throws -> Publication {
        switch change {
        case .patch:
            try await documents.patch(
                staging,
                with: Array(Self.add.utf8),
                as: .operations,
                expecting: expected,
                by: Desk.bob
            )
        case .promotion:
            try await documents.promote(
                of: staging,
                to: "production",
                overriddenBy: JSON(parsing: Self.add.utf8),
                expecting: expected,
                by: Desk.bob
            )
        }
    }

    private func text(
        _ publication: Publication,
        _ documents: BehaviorDocuments
    ) async throws -> String {
        let info = publication.info
        let revision = try await documents.revision(info.number, of: info.key)
        return String(decoding: revision.bytes, as: UTF8.self)
    }

    @Test(
        "a slow change blocks no other, and applies to the state at its turn",
        .timeLimit(.minutes(5)),
        arguments: StoreKind.allCases,
        Change.allCases
    )
    func waiting(kind: StoreKind, change: Change) async throws {
        let desk = try Desk(kind)
        let staging = desk.staging
        let (reached, reach) = AsyncStream.makeStream(of: Void.self)
        let (opened, open) = AsyncStream.makeStream(of: Void.self)
        let documents = try documents(of: desk) {
            reach.finish()
            for await _ in opened {}
        }
        _ = try await documents.put(Desk.text("old"), as: staging, by: Desk.ada)
        let made = Task { try await make(change, documents, staging) }
        for await _ in reached {}
        // It is being made ready, and others go on: what it stands upon, too.
        let other = try #require(DocumentKey("other"))
        _ = try await documents.put(Desk.text("other"), as: other, by: Desk.ada)
        _ = try await documents.put(Desk.text("new"), as: staging, by: Desk.ada)
        _ = try await documents.override(
            desk.key,
            with: [["op": "add", "path": "/0/kept", "value": 1]],
            by: Desk.ada
        )
        open.finish()
        let publication = try await made.value
        let text = try await text(publication, documents)
        switch change {
        case .patch:
            #expect(publication.info.number == 3)
            #expect(text == #"[{"name":"new","actions":[],"late":true}]"#)
        case .promotion:
            #expect(publication.origin?.revision == 2)
            #expect(text == #"[{"name":"new","actions":[],"kept":1,"late":true}]"#)
        }
        #expect(try await desk.findings() == [])
    }

    @Test(
        "a change that others overtake repeatedly completes on the newest revision",
        .timeLimit(.minutes(5)),
        arguments: StoreKind.allCases,
        Change.allCases
    )
    func overtaken(kind: StoreKind, change: Change) async throws {
        let desk = try Desk(kind)
        let staging = desk.staging
        // Another process, which waits for no turn of this one's.
        let other = try desk.elsewhere()
        _ = try await other.put(Desk.text("v0"), as: staging, by: Desk.ada)
        let count = Locked(0)
        let documents = try documents(of: desk) {
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number <= 6 else { return }
            _ = try await other.put(Desk.text("v\(number)"), as: staging, by: Desk.ada)
        }
        let publication = try await make(change, documents, staging)
        let text = try await text(publication, other)
        #expect(text == #"[{"name":"v6","actions":[],"late":true}]"#)
        #expect(try await desk.findings() == [])
    }

    @Test(
        "a precondition is checked before preparation and again at its turn (RFC 9110 §13.2)",
        .timeLimit(.minutes(5)),
        arguments: StoreKind.allCases,
        Change.allCases
    )
    func conditions(kind: StoreKind, change: Change) async throws {
        let desk = try Desk(kind)
        let staging = desk.staging
        let changed = change == .patch ? staging : desk.key
        let other = try desk.elsewhere()
        for key in Set([staging, changed]) {
            _ = try await other.put(Desk.text("one"), as: key, by: Desk.ada)
        }
        let count = Locked(0)
        let documents = try documents(of: desk) {
            count.withLock { $0 += 1 }
            _ = try await other.put(Desk.text("two"), as: changed, by: Desk.ada)
        }
        await #expect(throws: BehaviorStoreError.changedSince(live: 1)) {
            try await make(change, documents, staging, expecting: .oneOf([7]))
        }
        #expect(count.withLock { $0 } == 0)
        await #expect(throws: BehaviorStoreError.changedSince(live: 2)) {
            try await make(change, documents, staging, expecting: .oneOf([1]))
        }
        #expect(count.withLock { $0 } == 1)
        let states = try await other.documents(in: changed.environment)
        #expect(states.first { $0.key == changed }?.latest == 2)
    }

    @Test("a patch and a promotion reject a result that is too large (RFC 5789 §2.2)")
    func large() async throws {
        let desk = try Desk(.sqlite)
        let staging = desk.staging
        let value = String(repeating: "x", count: 600_000)
        let document = #"[{"name": "A", "actions": [{"func": "a", "value": "\#(value)"}]}]"#
        _ = try await desk.documents.put(Array(document.utf8), as: staging, by: Desk.ada)
        let copy: JSON = [["op": "copy", "from": "/0", "path": "/-"]]
        let patched = await desk.error {
            try await desk.documents.patch(
                staging,
                with: copy.encoded(),
                as: .operations,
                by: Desk.bob
            )
        }
        let promoted = await desk.error {
            try await desk.documents.promote(
                of: staging,
                to: "production",
                overriddenBy: copy,
                by: Desk.bob
            )
        }
        _ = try await desk.documents.override(desk.key, with: copy, by: Desk.bob)
        let overridden = await desk.error {
            try await desk.documents.promote(of: staging, to: "production", by: Desk.bob)
        }
        let expected = BehaviorStoreError.invalid([
            JSONTypeError(pointer: "", message: "expected a document of 1 MiB at most")
        ])
        #expect(patched == expected && promoted == expected && overridden == expected)
        #expect(desk.served == nil)
    }
}
