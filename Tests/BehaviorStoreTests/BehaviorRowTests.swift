import BehaviorStore
import Foundation
import Testing

/// A store's numbers, edited to the greatest and the least that its columns hold: no answer to that is
/// the process' end.
@Suite("Numbers out of range in a store")
struct BehaviorRowTests {
    private static let columns = [
        "plugboard_document SET latest", "plugboard_document SET live",
        "plugboard_document SET since",
        "plugboard_revision SET size", "plugboard_revision SET created",
        "plugboard_revision SET number", "plugboard_audit SET at", "plugboard_audit SET sequence",
    ]

    /// Calls all operations of a server, and ignores their errors.
    private func use(_ documents: BehaviorDocuments, of desk: Desk) async {
        func attempt(_ body: () async throws -> some Sendable) async {
            // Some of it can be done, some can't, as the store's own libraries may say.
            _ = try? await body()
        }
        func put(_ word: String, isDraft: Bool) async throws -> Int {
            try await documents.put(
                Desk.text(word),
                as: desk.key,
                isDraft: isDraft,
                by: Desk.ada
            ).info.number
        }
        await attempt { try documents.begin() }
        await attempt { try await documents.refresh() }
        await attempt { try await documents.history(of: desk.key).count }
        await attempt { try await documents.compiled(nil, of: desk.key).number }
        await attempt { try await put("next", isDraft: false) }
        await attempt { try await put("draft", isDraft: true) }
        await attempt { try await documents.rollback(to: 1, of: desk.key, by: Desk.bob) }
        await attempt { try await documents.publish(2, of: desk.key, by: Desk.bob) }
        await attempt { try await documents.approve(2, of: desk.key, by: Desk.bob).info }
        await attempt { try await documents.schedule(1, of: desk.key, at: 2_000_000, by: Desk.ada) }
        await attempt {
            try await documents.promote(of: desk.key, to: "staging", isDraft: true, by: Desk.ada)
        }
        await attempt {
            try await documents.patch(
                desk.key,
                with: Array("[]".utf8),
                as: .operations,
                isDraft: true,
                by: Desk.ada
            )
        }
        await attempt {
            var size = 0
            for try await piece in try await documents.export() { size += piece.count }
            return size
        }
    }

    @Test(
        "edited numbers in a database are found by verify and crash no server",
        arguments: StoreKind.databases,
        columns
    )
    func edited(kind: StoreKind, column: String) async throws {
        for number in [Int.max, Int.min, Int.max - 1, 1 << 53] {
            let desk = try Desk(kind)
            try await desk.put("one")
            try await desk.put("two", isDraft: true)
            let last = column.hasSuffix("number") || column.hasSuffix("sequence") ? 2 : 1
            let which = column.hasPrefix("plugboard_audit") ? " WHERE sequence = \(last)" : ""
            let one = column.hasPrefix("plugboard_revision") ? " WHERE number = \(last)" : which
            try await desk.store.tamper("UPDATE \(column) = \(number)\(one)")
            #expect(try await desk.findings() != [], "\(column) = \(number)")
            await use(desk.documents, of: desk)
            _ = try await desk.findings()
        }
    }

    @Test(
        "edited numbers in a folder's files are found by verify and crash no server",
        arguments: ["sequence", "number", "latest", "live"]
    )
    func files(member: String) async throws {
        for number in [Int.max, Int.min, Int.max - 1, 1 << 53] {
            let desk = try Desk(.directory)
            try await desk.put("one")
            try await desk.put("two", isDraft: true)
            let file = desk.store.folder + "/.history/00000002.json"
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let edited = text.replacing(
                try Regex("\"\(member)\": [0-9]+"),
                with: "\"\(member)\": \(number)"
            )
            #expect(edited != text)
            try Data(edited.utf8).write(to: URL(fileURLWithPath: file))
            #expect(try await desk.findings() != [], "\(member) = \(number)")
            await use(try desk.elsewhere(), of: desk)
            _ = try await desk.findings()
        }
    }
}
