import BehaviorStore
import JSONCodec
import Testing

/// A store accepts only what its archive can contain.
@Suite("Limits of texts that a store accepts")
struct StoredTextLimitsTests {
    @Test("rules with an approval count out of range are rejected", arguments: [-1, 11, Int.max])
    func rules(approvals: Int) async throws {
        let desk = try Desk(.sqlite)
        let error = await desk.error {
            try await desk.documents.set(
                EnvironmentRules(approvals: approvals),
                of: "staging",
                by: Desk.ada
            )
        }
        #expect(
            error
                == .invalid([
                    JSONTypeError(pointer: "/approvals", message: "out of range: 0 to 10")
                ])
        )
        let head = try await desk.store.backend().head()
        #expect(head == .none)
    }

    @Test(
        "an author whose name an archive would reject can't change anything",
        arguments: [
            "ada\n", "\u{0}", "a\u{7F}", "\u{1B}[2J", String(repeating: "é", count: 4097),
            // Line separators, which fake lines in logs and pages.
            "a\u{85}b", "a\u{2028}b", "a\u{2029}b",
            // Bidirectional controls, which reorder text (CVE-2021-42574).
            "\u{202A}a", "\u{202B}a", "a\u{202C}", "\u{202D}a", "\u{202E}a", "\u{2066}a",
            "\u{2067}a", "\u{2068}a", "a\u{2069}",
        ]
    )
    func authors(name: String) async throws {
        let desk = try await Desk.full()
        let before = try await desk.store.backend().head()
        for author in [
            Author(id: name), Author(id: "1", name: name), Author(id: "1", address: name),
        ] {
            #expect(!author.canBeKept)
            await #expect(throws: BehaviorStoreError.self) {
                try await desk.documents.set(EnvironmentRules(approvals: 1), of: "a", by: author)
            }
        }
        let after = try await desk.store.backend().head()
        #expect(after == before)
    }

    @Test("an author with a name of the maximum length can be imported")
    func longestAuthor() async throws {
        let desk = try await Desk.full()
        let name = String(repeating: "éש", count: 2048)
        let author = Author(id: name, name: name, address: "schedule")
        try await desk.documents.set(EnvironmentRules(approvals: 1), of: "a", by: author)
        #expect(try await ArchiveLines(desk).error() == nil)
    }
}
