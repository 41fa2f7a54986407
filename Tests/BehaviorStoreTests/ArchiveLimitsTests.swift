import BehaviorStore
import JSONCodec
import Testing

/// How much an archive has, and where it ends.
@Suite("Archive limits")
struct ArchiveLimitsTests {
    @Test("an archive has the limits of a store, and a limit for memory")
    func bounds() async throws {
        let lines = try await ArchiveLines(.full())
        #expect(lines.error() == nil)
        let cases: [(WritableKeyPath<ArchiveLimits, Int>, String, JSON, String)] = [
            (\.rows, "audit", 3, "rows of the audit at most"),
            (
                \.documents, "document", ["environment": "staging", "name": "default"],
                "documents at most"
            ),
            (\.overrides, "record", "override", "overrides of 0 documents at most"),
            (\.rules, "record", "rules", "rules of 0 environments at most"),
            (\.schedules, "record", "schedule", "0 schedules at most"),
        ]
        for (bound, thing, value, reason) in cases {
            var bounds = ArchiveLimits()
            bounds[keyPath: bound] = thing == "audit" ? 2 : thing == "document" ? 1 : 0
            let member = ["audit": "sequence", "document": "key"][thing] ?? "kind"
            let error = lines.error(bounds)
            #expect(error?.line == (try lines.place(thing, member, value)) + 1)
            #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
        }
        var bounds = ArchiveLimits()
        bounds.bytes = lines.text.count - lines.json.count
        #expect(lines.error(bounds) == nil)
        bounds.bytes -= 1
        #expect(lines.error(bounds)?.reason.contains("bytes at most") == true)
        #expect(lines.error(bounds)?.line == lines.json.count)
    }

    @Test("a line of more than 8 MiB is rejected even if it arrives in one piece")
    func longLine() {
        var parser = ArchiveParser()
        let piece = [UInt8](repeating: 0x20, count: 8 << 20 + 1) + [0x0A]
        let error = #expect(throws: BehaviorArchive.Invalid.self) { try parser.take(piece) }
        #expect(error?.reason == "the line is longer than 8 MiB")
        #expect(error?.line == 1)
    }

    @Test("the end of a complete archive is recognized")
    func ends() async throws {
        let text = try await Desk.full().exported()
        #expect(BehaviorArchive.isWhole(text))
        #expect(BehaviorArchive.isWhole(text.suffix(BehaviorArchive.maximumEnd)))
        for count in [0, 1, text.count / 2, text.count - 20, text.count - 1] {
            #expect(!BehaviorArchive.isWhole(text.prefix(count)), "\(count)")
        }
        let lines = text.split(separator: 0x0A)
        #expect(
            !BehaviorArchive.isWhole(Array(lines.dropLast().joined(separator: [0x0A])) + [0x0A])
        )
        #expect(!BehaviorArchive.isWhole(Array("\n{}\n".utf8)))
    }
}
