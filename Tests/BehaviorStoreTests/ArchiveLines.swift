import JSONCodec
import Testing

@testable import BehaviorStore

/// An archive's lines, to be changed and read again.
struct ArchiveLines {
    private(set) var json: [JSON]

    /// The archive of what a desk has.
    init(_ desk: Desk) async throws {
        json = try await desk.exported().split(separator: 0x0A).map { try JSON(parsing: $0) }
    }

    var text: [UInt8] { json.flatMap { $0.encoded() + [0x0A] } }

    /// The error of parsing the lines; nil if they are valid.
    func error(_ bounds: ArchiveLimits = ArchiveLimits()) -> BehaviorArchive.Invalid? {
        do {
            var parser = ArchiveParser(bounds: bounds)
            try parser.take(text)
            _ = try parser.finish()
            return nil
        } catch {
            return error
        }
    }

    /// The place of the first line that has a thing, and in it a member of a value.
    func place(_ thing: String, _ member: String, _ value: JSON) throws -> Int {
        try #require(json.firstIndex { $0[thing]?[member] == value })
    }

    /// The lines with another value of a thing's member, and all else of the line as it is.
    func changed(
        _ place: Int,
        _ thing: String,
        _ member: String,
        _ value: JSON
    ) throws -> ArchiveLines {
        var changed = self
        var line = try #require(json[place].object)
        var members = try #require(line[thing]?.object)
        members[member] = value
        line[thing] = .object(members)
        changed.json[place] = .object(line)
        return changed
    }

    /// The lines without one of a draft's makers in production.
    func naming(_ draft: Int, without name: JSON) throws -> ArchiveLines {
        func others(_ members: JSON.Object, _ known: String) -> JSON {
            .array((members[known]?.array ?? []).filter { $0["name"] != name })
        }
        var lines = self
        lines.json = try json.map { line in
            if var row = line["audit"]?.object, let text = row["after"]?.string,
                var after = try JSON(parsing: text.utf8).object,
                row["environment"] == "production", row["change"] == "promote",
                after["revision"]?.int == draft
            {
                after["makers"] = others(after, "makers")
                row["after"] = .string(JSON.object(after).description)
                return ["audit": .object(row)]
            }
            if var record = line["record"]?.object, record["kind"] == "draft",
                let text = record["value"]?.string, var value = try JSON(parsing: text.utf8).object
            {
                value["contributors"] = others(value, "contributors")
                record["value"] = .string(JSON.object(value).description)
                return ["record": .object(record)]
            }
            return line
        }
        return try lines.sealed()
    }

    /// Returns the lines with recomputed hashes, like an archive that an attacker made.
    func sealed() throws -> ArchiveLines {
        var sealed = self
        var head = AuditHead.none
        sealed.json = try json.map { line in
            if let row = line["audit"] {
                func text(_ member: String) -> String { row[member]?.string ?? "" }
                func author(_ member: String) -> String {
                    row["author"]?[member]?.string ?? ""
                }
                let made = AuditRow(
                    after: head,
                    at: try #require(row["at"]?.int),
                    author: Author(
                        id: author("id"),
                        name: author("name"),
                        address: author("address")
                    ),
                    change: text("change"),
                    environment: text("environment"),
                    name: text("name"),
                    from: row["before"]?.string,
                    to: row["after"]?.string
                )
                head = AuditHead(made)
                var members = try #require(row.object)
                members["previous"] = .string(made.previous)
                members["hash"] = .string(made.hash)
                return ["audit": .object(members)]
            }
            guard var end = line["end"]?.object else { return line }
            end["hash"] = .string(head.hash)
            return ["end": .object(end)]
        }
        return sealed
    }
}

extension Desk {
    /// One whose store has a record of each kind.
    static func full() async throws -> Desk {
        let desk = try Desk(.sqlite)
        let documents = desk.documents
        try await desk.put("one")
        try await desk.put("two", isDraft: true)
        _ = try await documents.approve(2, of: desk.key, by: Desk.bob)
        _ = try await documents.schedule(2, of: desk.key, at: 2_000_000_000, by: Desk.ada)
        try await documents.set(EnvironmentRules(approvals: 10), of: "staging", by: Desk.bob)
        _ = try await documents.override(
            desk.staging,
            with: [["op": "replace", "path": "/0/name", "value": "other"]],
            by: Desk.bob
        )
        _ = try await documents.promote(of: desk.key, to: "staging", by: Desk.ada)
        return desk
    }
}
