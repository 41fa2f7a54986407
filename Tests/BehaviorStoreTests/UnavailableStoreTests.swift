import Foundation
import Locking
import Logging
import Testing

@testable import BehaviorStore

/// A server that starts while its store is unavailable.
@Suite("A store that is unavailable at the start")
struct UnavailableStoreTests {
    /// A store in another process, which the test makes available.
    private final class RemoteStore: Sendable {
        let desk: Desk
        let loss = Locked<String?>("connection refused")
        let checkFailure = Locked<BehaviorStoreError?>(nil)
        let live = LiveBehaviors()
        let documents: BehaviorDocuments

        init(file: BehaviorFile? = nil, isRemote: Bool = true) throws {
            desk = try Desk(.sqlite)
            if let file { live[LiveBehaviors.defaultName] = file.live }
            let (loss, failure) = (loss, checkFailure)
            let hooks = HookedBehaviors.Hooks(
                isRemote: isRemote,
                loss: { loss.withLock { $0 } },
                check: { if let error = failure.withLock({ $0 }) { throw error } }
            )
            documents = BehaviorDocuments(
                HookedBehaviors(try desk.store.backend(), hooks),
                as: live,
                insteadOf: file,
                logger: KeptStore.quiet
            )
        }

        func becomeAvailable() { loss.withLock { $0 = nil } }

        func text(of name: String = LiveBehaviors.defaultName) -> String? {
            live[name]?.revision.map { String(decoding: $0.bytes, as: UTF8.self) }
        }
    }

    private static func text(_ word: String) -> String {
        String(decoding: Desk.text(word), as: UTF8.self)
    }

    /// A behavior document in a file of its own folder, which is removed with it.
    private final class TemporaryFile: Sendable {
        let path = NSTemporaryDirectory() + "plugboard-file-\(UUID().uuidString).json"

        init(_ word: String) throws { try write(word) }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ word: String) throws {
            try Data(Desk.text(word)).write(to: URL(fileURLWithPath: path))
        }

        func document() throws -> BehaviorFile {
            try BehaviorFile(path: path, logger: KeptStore.quiet)
        }
    }

    @Test("the start succeeds, documents are withheld, and the loss names the reason")
    func waits() throws {
        let store = try RemoteStore()
        try store.documents.begin()
        #expect(store.documents.isWaiting)
        #expect(store.documents.loss == "connection refused")
        #expect(store.live.areWithheld)
    }

    @Test("the documents are served when the store is available")
    func release() async throws {
        let store = try RemoteStore()
        try await store.desk.put("one")
        try store.documents.begin()
        #expect(store.text() == nil)
        store.becomeAvailable()
        // Available isn't enough: the documents aren't loaded yet.
        #expect(store.documents.loss == "connection refused")
        try await store.documents.refresh()
        #expect(!store.documents.isWaiting)
        #expect(store.documents.loss == nil)
        #expect(!store.live.areWithheld)
        #expect(store.text() == Self.text("one"))
    }

    @Test("an empty store ends the wait, too")
    func empty() async throws {
        let store = try RemoteStore()
        try store.documents.begin()
        store.becomeAvailable()
        try await store.documents.refresh()
        #expect(!store.documents.isWaiting)
        #expect(!store.live.areWithheld)
    }

    @Test("a file isn't served in place of a document that may be in the store")
    func file() async throws {
        let file = try TemporaryFile("file")
        let store = try RemoteStore(file: file.document())
        #expect(store.text() == Self.text("file"))
        try await store.desk.put("stored")
        try store.documents.begin()
        #expect(store.text() == nil)
        store.becomeAvailable()
        try await store.documents.refresh()
        #expect(store.text() == Self.text("stored"))
    }

    @Test(
        "a file is served again if the store has no document in its place",
        arguments: [false, true]
    )
    func fileAgain(isEdited: Bool) async throws {
        let file = try TemporaryFile("file")
        let document = try file.document()
        let store = try RemoteStore(file: document)
        try store.documents.begin()
        if isEdited { try file.write("edited") }
        // An edit doesn't end the wait.
        #expect(!document.refresh())
        #expect(store.text() == nil)
        store.becomeAvailable()
        try await store.documents.refresh()
        #expect(store.text() == Self.text(isEdited ? "edited" : "file"))
    }

    @Test("a failed check continues the wait")
    func otherVersion() async throws {
        let store = try RemoteStore()
        try await store.desk.put("one")
        try store.documents.begin()
        store.becomeAvailable()
        store.checkFailure.withLock { $0 = .conflict("its version is 2") }
        await #expect(throws: BehaviorStoreError.conflict("its version is 2")) {
            try await store.documents.refresh()
        }
        #expect(store.documents.isWaiting)
        #expect(store.text() == nil)
        store.checkFailure.withLock { $0 = nil }
        try await store.documents.refresh()
        #expect(store.text() == Self.text("one"))
    }

    @Test("a change before the documents are loaded doesn't end the wait")
    func change() async throws {
        let store = try RemoteStore()
        try await store.desk.put("one")
        try store.documents.begin()
        store.becomeAvailable()
        let key = try #require(DocumentKey("other"))
        _ = try await store.documents.put(Desk.text("two"), as: key, by: Desk.ada)
        #expect(store.documents.isWaiting)
        try await store.documents.refresh()
        #expect(store.text() == Self.text("one"))
        #expect(store.text(of: "other") == Self.text("two"))
    }

    @Test("a local store that is unavailable is a start-up error")
    func local() throws {
        let store = try RemoteStore(isRemote: false)
        #expect(throws: BehaviorStoreError.unavailable("connection refused")) {
            try store.documents.begin()
        }
    }
}
