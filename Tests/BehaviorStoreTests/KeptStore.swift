import BehaviorStore
import Foundation
import GRDB
import Logging
import Storage
import Testing

/// Where documents can be kept: each test of the store runs with all of them.
enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite

    var testDescription: String { rawValue }
}

/// A store of its own for a test, which is gone when the test is over.
final class KeptStore: Sendable {
    let kind: StoreKind
    private let folder = NSTemporaryDirectory() + "plugboard-store-\(UUID().uuidString)"

    init(_ kind: StoreKind) throws {
        self.kind = kind
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// What keeps its documents.
    func keeping() -> any BehaviorKeeping {
        switch kind {
        case .sqlite: SQLiteBehaviors(Storage.of(folder))
        }
    }

    /// The same as another process has it: with connections of its own.
    func other() -> any BehaviorKeeping {
        switch kind {
        case .sqlite: SQLiteBehaviors(Storage.of(folder + "/."))
        }
    }

    /// Changes what is kept behind everybody's back, as one who has the database may.
    func tamper(_ sql: String) async throws {
        switch kind {
        case .sqlite:
            let queue = try DatabaseQueue(path: folder + "/" + Storage.fileName)
            try await queue.write { try $0.execute(sql: sql) }
        }
    }
}

/// Documents of a store, by a clock that stands until it is told otherwise.
struct Desk {
    static let ada = Author(id: "1", name: "ada", address: "127.0.0.1")
    static let bob = Author(id: "2", name: "bob", address: "::1")

    let store: KeptStore
    let documents: BehaviorDocuments
    let live = LiveBehaviors()
    let key: DocumentKey

    init(_ kind: StoreKind, now: @escaping @Sendable () -> Int = { 1_000_000 }) throws {
        store = try KeptStore(kind)
        documents = BehaviorDocuments(
            store.keeping(),
            as: live,
            logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() },
            now: now
        )
        key = try #require(DocumentKey("default"))
    }

    /// A document that is told from others by a word.
    static func text(_ word: String) -> [UInt8] {
        Array("[{\"name\": \"\(word)\",\n \"actions\": []}]\n".utf8)
    }

    @discardableResult
    func put(_ word: String, isDraft: Bool = false) async throws -> Publication {
        try await documents.put(Self.text(word), as: key, isDraft: isDraft, by: Self.ada)
    }

    /// What is served.
    var served: String? {
        live["default"].map {
            String(decoding: $0.revision.bytes, as: UTF8.self)
        }
    }

    func error(_ body: () async throws -> some Sendable) async -> BehaviorStoreError? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? BehaviorStoreError
        }
    }
}
