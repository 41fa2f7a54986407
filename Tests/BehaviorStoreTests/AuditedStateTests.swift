import Digests
import JSONCodec
import Testing

@testable import BehaviorStore

/// A forgery that bypassed the server, was used by it, and was reverted, so that the stored data
/// match the rows.
@Suite("Forged state that was used before verification")
struct AuditedStateTests {
    private let carol = Author(id: "3", name: "carol")

    /// Live in production: revision 1 of ada's; a draft 2 of bob's; an approval is asked for.
    private func desk(_ kind: StoreKind) async throws -> Desk {
        let desk = try Desk(kind)
        try await desk.put("one")
        _ = try await desk.documents.put(
            Desk.text("two"),
            as: desk.key,
            isDraft: true,
            by: Desk.bob
        )
        try await desk.documents.set(EnvironmentRules(approvals: 1), of: "production", by: carol)
        return desk
    }

    /// Edits what is kept of a kind in production.
    private func set(
        _ kind: String,
        _ desk: Desk,
        _ value: String,
        item: String = ""
    ) async throws {
        try await desk.store.tamper(
            "UPDATE plugboard_record SET value = '\(value)' WHERE kind = '\(kind)'"
                + " AND environment = 'production' AND item = '\(item)'"
        )
    }

    @Test("a forged approval is found after publication", arguments: StoreKind.databases)
    func approval(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        let forged = #"{"approvals":[{"by":"1","name":"ada","at":1000000}]}"#
        try await set("draft", desk, forged, item: "2")
        _ = try await desk.documents.publish(2, of: desk.key, by: Desk.bob)
        #expect(
            try await desk.findings()
                == ["row 4: revision 2 went live, but production required 1 approval"]
        )
        // Nobody gets it into another store, either.
        let archive = try BehaviorArchive(await desk.exported())
        let other = try Desk(kind)
        await #expect(throws: BehaviorArchive.Invalid.self) {
            try await other.documents.load(archive, by: carol)
        }
    }

    @Test(
        "an approval of a draft whose author has no name is found",
        arguments: StoreKind.databases
    )
    func namelessAuthor(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        let nameless = Author(id: "6")
        _ = try await desk.documents.put(
            Desk.text("three"),
            as: desk.key,
            isDraft: true,
            by: nameless
        )
        func setName(_ name: String) async throws {
            try await desk.store.tamper(
                "UPDATE plugboard_revision SET author_name = '\(name)' WHERE number = 3"
            )
        }
        try await setName("zoe")
        _ = try await desk.documents.approve(3, of: desk.key, by: carol)
        try await setName("")
        #expect(
            try await desk.findings() == [
                "row 5: draft 3 can't be approved: one of its authors has no name"
            ]
        )
    }

    @Test(
        "a draft's bytes that were forged during approval are found",
        arguments: StoreKind.databases
    )
    func approvedBytes(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        let (true2, false2) = (Desk.text("two"), Desk.text("owt"))
        func set(_ old: [UInt8], _ new: [UInt8]) async throws {
            let (from, to) = (Hexadecimal.sha256(old), Hexadecimal.sha256(new))
            let text = String(decoding: new, as: UTF8.self)
            let bytes =
                kind == .sqlite ? "CAST('\(text)' AS BLOB)" : "convert_to('\(text)', 'UTF8')"
            try await desk.store.tamper(
                "UPDATE plugboard_revision SET digest = '\(to)', bytes = \(bytes)"
                    + " WHERE digest = '\(from)'"
            )
        }
        try await set(true2, false2)
        _ = try await desk.documents.approve(2, of: desk.key, by: carol)
        try await set(false2, true2)
        _ = try await desk.documents.publish(2, of: desk.key, by: Desk.bob)
        #expect(desk.served == String(decoding: true2, as: UTF8.self))
        #expect(try await desk.findings() == ["row 4: the digest of draft 2 differs"])
    }

    @Test(
        "a revision's message that was forged for a while is found",
        arguments: StoreKind.databases
    )
    func message(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        func set(_ message: String, _ number: Int) async throws {
            try await desk.store.tamper(
                "UPDATE plugboard_revision SET message = '\(message)' WHERE number = \(number)"
            )
        }
        _ = try await desk.documents.approve(2, of: desk.key, by: carol)
        try await set("Approved by the board", 2)
        try await set("Harmless", 1)
        _ = try await desk.documents.publish(2, of: desk.key, by: Desk.bob)
        try await set("", 2)
        try await set("", 1)
        #expect(
            try await desk.findings() == ["row 5: it names another previous live revision"]
        )
        let again = try await self.desk(kind)
        _ = try await again.documents.approve(2, of: again.key, by: carol)
        try await again.store.tamper(
            "UPDATE plugboard_revision SET message = 'Why' WHERE number = 2"
        )
        _ = try await again.documents.publish(2, of: again.key, by: Desk.bob)
        try await again.store.tamper("UPDATE plugboard_revision SET message = '' WHERE number = 2")
        #expect(
            try await again.findings() == ["row 5: the message of revision 2 differs"]
        )
    }

    @Test("a forged approval beside real ones is found", arguments: StoreKind.databases)
    func secondApproval(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        try await desk.documents.set(EnvironmentRules(approvals: 2), of: "production", by: carol)
        let forged = #"{"approvals":[{"by":"1","name":"ada","at":1000000}]}"#
        try await set("draft", desk, forged, item: "2")
        _ = try await desk.documents.approve(2, of: desk.key, by: carol)
        _ = try await desk.documents.publish(2, of: desk.key, by: Desk.bob)
        #expect(
            try await desk.findings() == [
                "row 5: the row's earlier approvals of draft 2 differ",
                "row 6: revision 2 went live, but production required 2 approvals",
            ]
        )
    }

    @Test(
        "an environment's rules that were forged for a while are found",
        arguments: StoreKind.databases
    )
    func rules(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        try await set("rules", desk, #"{"approvals":0}"#)
        _ = try await desk.documents.put(Desk.text("three"), as: desk.key, by: Desk.bob)
        try await set("rules", desk, #"{"approvals":1}"#)
        #expect(
            try await desk.findings()
                == ["row 4: revision 3 went live, but production required 1 approval"]
        )
        // Set through the server after the forgery.
        let again = try await self.desk(kind)
        try await set("rules", again, #"{"approvals":0}"#)
        try await again.documents.set(EnvironmentRules(approvals: 2), of: "production", by: carol)
        #expect(
            try await again.findings()
                == ["row 4: the rules of production: it names another previous value"]
        )
    }

    @Test("invalid rules prevent publication", arguments: StoreKind.databases)
    func noRules(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        try await set("rules", desk, #"{"approvals":"x"}"#)
        let error = await desk.error { try await desk.put("three") }
        #expect(error == .unavailable("the rules of production can't be read"))
    }

    @Test(
        "an approval by a removed contributor of the draft is found",
        arguments: StoreKind.databases
    )
    func contributors(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        _ = try await desk.documents.put(Desk.text("four"), as: desk.staging, by: Desk.ada)
        _ = try await desk.documents.promote(of: desk.staging, to: "production", by: Desk.bob)
        try await set("draft", desk, #"{"approvals":[]}"#, item: "3")
        _ = try await desk.documents.approve(3, of: desk.key, by: Desk.ada)
        _ = try await desk.documents.publish(3, of: desk.key, by: Desk.bob)
        #expect(
            try await desk.findings()
                == ["row 6: draft 3 is approved by one of its authors"]
        )
    }

    @Test(
        "a revision's origin that was removed during a promotion is found",
        arguments: StoreKind.databases
    )
    func origin(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        let dev = try #require(DocumentKey("default", in: "dev"))
        _ = try await desk.documents.put(Desk.text("four"), as: dev, by: Desk.ada)
        _ = try await desk.documents.promote(of: dev, to: "staging", by: carol)
        let origin = try await desk.store.backend()
            .records(.origin, environment: "staging", name: "default")
        try await desk.store.tamper("DELETE FROM plugboard_record WHERE kind = 'origin'")
        _ = try await desk.documents.promote(of: desk.staging, to: "production", by: Desk.bob)
        try await desk.store.tamper(
            """
            INSERT INTO plugboard_record VALUES ('origin', 'staging', 'default', '1',
                '\(try #require(origin.first).value)')
            """
        )
        #expect(
            try await desk.findings() == ["row 6: it doesn't name all authors of draft 3"]
        )
    }

    @Test("overrides that were forged for a while are found", arguments: StoreKind.databases)
    func overrides(kind: StoreKind) async throws {
        for forged in [
            #"{"patch":[{"op":"add","path":"/0/kept","value":1}],"by":"3","name":"carol","at":1000000}"#,
            #"{"patch":[{"op":"add","path":"/0/kept","value":2}],"by":"1","name":"ada","at":1000000}"#,
        ] {
            let desk = try await desk(kind)
            _ = try await desk.documents.put(Desk.text("four"), as: desk.staging, by: Desk.bob)
            let patch: JSON = [["op": "add", "path": "/0/kept", "value": 1]]
            _ = try await desk.documents.override(desk.key, with: patch, by: Desk.ada)
            try await set("override", desk, forged)
            _ = try await desk.documents.promote(of: desk.staging, to: "production", by: Desk.bob)
            let found = try await desk.findings()
            #expect(found.first == "row 6: it names other overrides")
        }
    }

    @Test(
        "a forged schedule, and one whose author was replaced, are found",
        arguments: StoreKind.databases
    )
    func schedule(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        try await desk.store.tamper(
            """
            INSERT INTO plugboard_record VALUES ('schedule', 'production', 'default', '3',
                '{"revision":1,"at":999999,"by":"3","name":"carol"}')
            """
        )
        try await desk.documents.fire(at: 1_000_000)
        #expect(try await desk.findings() == ["row 4: there was no schedule 3"])
        let other = try await self.desk(kind)
        _ = try await other.documents.approve(2, of: other.key, by: Desk.ada)
        let made = try await other.documents.schedule(2, of: other.key, at: 1_000_000, by: Desk.bob)
        try await set(
            "schedule",
            other,
            #"{"revision":2,"at":1000000,"by":"3","name":"carol"}"#,
            item: String(made.id)
        )
        try await other.documents.fire(at: 1_000_000)
        #expect(try await other.findings() == ["row 6: schedule 5 was for another operation"])
    }

    @Test(
        "a forged live revision and a forged newest revision are found",
        arguments: StoreKind.databases
    )
    func pointers(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        try await desk.put("three", isDraft: true)
        try await desk.store.tamper("UPDATE plugboard_document SET live = 3")
        _ = try await desk.documents.rollback(to: 1, of: desk.key, by: Desk.bob)
        #expect(
            try await desk.findings()
                == ["row 5: it names another previous live revision"]
        )
        let other = try await self.desk(kind)
        try await other.store.tamper("UPDATE plugboard_document SET latest = 7")
        try await other.put("eight", isDraft: true)
        #expect(
            try await other.findings().first == "row 4: revision 8 doesn't follow revision 2"
        )
    }

    @Test("a revision's bytes that were forged during a roll-back are found")
    func bytes() async throws {
        let desk = try await desk(.sqlite)
        try await desk.put("three", isDraft: true)
        _ = try await desk.documents.approve(2, of: desk.key, by: Desk.ada)
        _ = try await desk.documents.publish(2, of: desk.key, by: Desk.bob)
        // A draft's bytes under a number that was live.
        try await desk.store.tamper(
            """
            CREATE TABLE kept AS SELECT bytes, size, digest FROM plugboard_revision WHERE number = 1;
            UPDATE plugboard_revision SET (bytes, size, digest) =
                (SELECT bytes, size, digest FROM plugboard_revision WHERE number = 3) WHERE number = 1
            """
        )
        _ = try await desk.documents.rollback(to: 1, of: desk.key, by: Desk.bob)
        try await desk.store.tamper(
            """
            UPDATE plugboard_revision SET (bytes, size, digest) = (SELECT bytes, size, digest FROM kept)
                WHERE number = 1;
            DROP TABLE kept
            """
        )
        #expect(try await desk.findings() == ["row 7: it can't be made of revision 1"])
    }

    @Test("bytes that were forged during a patch or a promotion with overrides are found")
    func basis() async throws {
        for isPromoted in [false, true] {
            let desk = try await desk(.sqlite)
            _ = try await desk.documents.put(Desk.text("four"), as: desk.staging, by: Desk.ada)
            let (first, other) = (Desk.text("four"), Desk.text("evil"))
            func edit(_ bytes: [UInt8]) async throws {
                try await desk.store.tamper(
                    """
                    UPDATE plugboard_revision SET digest = '\(Hexadecimal.sha256(bytes))',
                        bytes = CAST('\(String(decoding: bytes, as: UTF8.self))' AS BLOB)
                        WHERE environment = 'staging' AND number = 1
                    """
                )
            }
            let operations: JSON = [["op": "add", "path": "/0/part", "value": 1]]
            try await edit(other)
            if isPromoted {
                _ = try await desk.documents.promote(
                    of: desk.staging,
                    to: "production",
                    overriddenBy: operations,
                    by: Desk.bob
                )
            } else {
                _ = try await desk.documents.patch(
                    desk.staging,
                    with: operations.encoded(),
                    as: .operations,
                    by: Desk.bob
                )
            }
            try await edit(first)
            let found = try await desk.findings()
            #expect(
                found == [
                    isPromoted
                        ? "row 5: it isn't revision 1 of staging"
                        : "row 5: it names another previous live revision"
                ]
            )
        }
    }

    @Test(
        "a draft whose bytes don't match its digest can't be approved",
        arguments: StoreKind.databases
    )
    func digest(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        try await desk.store.tamper("UPDATE plugboard_revision SET digest = 'x' WHERE number = 2")
        let error = await desk.error {
            try await desk.documents.approve(2, of: desk.key, by: carol).info.number
        }
        #expect(
            error
                == .unavailable("revision 2 of default in production doesn't match its digest")
        )
    }

    @Test("a forged name of the overrides' author is found", arguments: StoreKind.databases)
    func name(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        _ = try await desk.documents.put(Desk.text("four"), as: desk.staging, by: Desk.ada)
        let patch: JSON = [["op": "add", "path": "/0/kept", "value": 1]]
        _ = try await desk.documents.override(desk.key, with: patch, by: Desk.bob)
        let text =
            #"{"patch":[{"op":"add","path":"/0/kept","value":1}],"by":"2","name":"NAME","at":1000000}"#
        try await set("override", desk, text.replacing("NAME", with: "eve"))
        _ = try await desk.documents.promote(of: desk.staging, to: "production", by: Desk.ada)
        try await set("override", desk, text.replacing("NAME", with: "bob"))
        let found = try await desk.findings()
        #expect(found.first == "row 6: it names other overrides", "\(found)")
    }

    @Test("overrides of the maximum depth have readable rows")
    func depth() async throws {
        let desk = try Desk(.sqlite)
        _ = try await desk.documents.put(Desk.text("one"), as: desk.staging, by: Desk.ada)
        let value = (0..<508).reduce(JSON.number(1)) { inner, _ in .array([inner]) }
        let patch: JSON = [["op": "add", "path": "/0/deep", "value": value]]
        _ = try await desk.documents.override(desk.key, with: patch, by: Desk.bob)
        _ = try await desk.documents.promote(of: desk.staging, to: "production", by: Desk.ada)
        #expect(try await desk.findings() == [])
    }
}
