import BehaviorStore
import Foundation
import JSONCodec
import JSONPatch
import Testing

private let authored = """
    [ {"name": "Home", "actions": [{"func": "show", "value": 1.50}], "a": 1,
       "b": {"c": 10}} ]

    """

/// Documents that are changed in part, wherever they are kept.
@Suite("Patching behavior documents")
struct DocumentPatchTests {
    private func desk(_ kind: StoreKind) async throws -> Desk {
        let desk = try Desk(kind)
        _ = try await desk.documents.put(Array(authored.utf8), as: desk.key, by: Desk.ada)
        return desk
    }

    private func patch(
        _ desk: Desk,
        _ text: String,
        _ form: PatchForm = .operations,
        revision: Int? = nil,
        isDraft: Bool = false,
        expecting expected: ExpectedRevision = .any
    ) async throws -> Publication {
        try await desk.documents.patch(
            desk.key,
            with: Array(text.utf8),
            as: form,
            revision: revision,
            isDraft: isDraft,
            message: "why",
            expecting: expected,
            by: Desk.bob
        )
    }

    private func text(_ desk: Desk, _ number: Int) async throws -> String {
        let revision = try await desk.documents.revision(number, of: desk.key)
        return String(decoding: revision.bytes, as: UTF8.self)
    }

    @Test(
        "a JSON Patch makes the next revision and preserves member order and digits",
        arguments: StoreKind.allCases
    )
    func operations(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        let made = try await patch(
            desk,
            """
            [{"op": "test", "path": "/0/name", "value": "Home"},
             {"op": "replace", "path": "/0/b/c", "value": 20},
             {"op": "add", "path": "/0/actions/-", "value": {"func": "dance"}}]
            """
        )
        #expect(made.isLive)
        #expect(made.info.number == 2)
        #expect(made.info.author == "2")
        #expect(made.info.message == "why")
        let expected =
            #"[{"name":"Home","actions":[{"func":"show","value":1.50},{"func":"dance"}],"a":1,"#
            + #""b":{"c":20}}]"#
        let text = try await text(desk, 2)
        #expect(text == expected)
        #expect(desk.served?.contains("dance") == true)
        #expect(try await desk.findings() == [])
    }

    @Test("a Merge Patch creates the next revision (RFC 7396)", arguments: StoreKind.allCases)
    func merge(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        let segments = #"{"segments":{"old":true,"beta":true},"modules":[]}"#
        _ = try await desk.documents.put(Array(segments.utf8), as: desk.key, by: Desk.ada)
        let made = try await patch(
            desk,
            #"{"segments": {"old": null, "new": {"==": [1, 1]}}}"#,
            .merge
        )
        #expect(made.info.number == 3)
        let text = try await text(desk, 3)
        #expect(text == #"{"segments":{"beta":true,"new":{"==":[1,1]}},"modules":[]}"#)
    }

    @Test(
        "a patch that changes nothing makes a revision with the same bytes",
        arguments: [("[]", PatchForm.operations), (authored, .merge)]
    )
    func nothing(patch: String, form: PatchForm) async throws {
        let desk = try await desk(.sqlite)
        let made = try await self.patch(desk, patch, form)
        #expect(made.info.number == 2)
        let text = try await text(desk, 2)
        #expect(text == authored)
    }

    @Test(
        "a draft's base is the live revision or the named one",
        arguments: StoreKind.allCases
    )
    func drafts(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        let rename = #"[{"op": "replace", "path": "/0/name", "value": "Draft"}]"#
        let draft = try await patch(desk, rename, isDraft: true)
        #expect(draft.live == 1)
        #expect(draft.info.number == 2)
        #expect(desk.served?.contains("Home") == true)
        // A draft, which is newer than what is live, may go live changed.
        let made = try await patch(
            desk,
            #"[{"op": "test", "path": "/0/name", "value": "Draft"}, {"op": "remove", "path": "/0/a"}]"#,
            revision: 2
        )
        #expect(made.isLive)
        #expect(desk.served?.contains("Draft") == true)
        // What isn't live any more would take back what came after it.
        let late = await desk.error { try await patch(desk, rename, revision: 1) }
        guard case .conflict(let reason) = late else {
            Issue.record("\(String(describing: late))")
            return
        }
        #expect(reason.contains("revision 3 went live after revision 1"))
        let earlier = try await patch(desk, rename, revision: 1, isDraft: true)
        #expect(earlier.info.number == 4)
        let text = try await text(desk, 4)
        #expect(text.contains(#""a":1"#))
    }

    @Test(
        "a patch that can't be applied is an error, and nothing is stored",
        arguments: StoreKind.allCases
    )
    func refusals(kind: StoreKind) async throws {
        let empty = try Desk(kind)
        let none = await empty.error { try await patch(empty, "[]") }
        #expect(none == .noDocument(empty.key))
        try await empty.put("one", isDraft: true)
        let draft = await empty.error { try await patch(empty, "[]") }
        #expect(draft == .nothingLive(empty.key))
        let desk = try await desk(kind)
        let missing = await desk.error { try await patch(desk, "[]", revision: 9) }
        #expect(missing == .noRevision(9, desk.key))
        let stale = await desk.error { try await patch(desk, "[]", expecting: .oneOf([7])) }
        #expect(stale == .changedSince(live: 1))
        for (text, kind, operation, pointer) in [
            ("[", .malformed, nil, "/0"), ("{}", .malformed, nil, ""),
            (#"[{"op": "fly", "path": ""}]"#, .malformed, 0, "/0/op"),
            (#"[{"op": "test", "path": "/0/name", "value": "Away"}]"#, .conflict, 0, "/0/name"),
            (
                #"[{"op": "remove", "path": "/0/a"}, {"op": "remove", "path": "/1"}]"#, .conflict,
                1,
                "/1"
            ),
        ] as [(String, PatchError.Kind, Int?, String)] {
            let error = await desk.error { try await patch(desk, text) }
            guard case .patch(let error) = error else {
                Issue.record("\(text): \(String(describing: error))")
                continue
            }
            #expect(error.kind == kind)
            #expect(error.operation == operation)
            #expect(error.pointer == pointer)
        }
        for (text, form, pointer) in [
            (#"[{"op": "remove", "path": "/0/actions"}]"#, .operations, "/0/actions"),
            (
                #"[{"op": "add", "path": "/0/when", "value": {"no": 1}}]"#, .operations,
                "/0/when/no"
            ),
            ("{}", .merge, "/modules"), ("null", .merge, ""),
        ] as [(String, PatchForm, String)] {
            let error = await desk.error { try await patch(desk, text, form) }
            guard case .invalid(let problems) = error else {
                Issue.record("\(text): \(String(describing: error))")
                continue
            }
            #expect(problems.first?.pointer == pointer)
        }
        let latest = try await desk.documents.documents(in: "production").map(\.latest)
        #expect(latest == [1])
    }

    @Test("a patch can't make a document larger than the limit")
    func large() async throws {
        let desk = try Desk(.sqlite)
        let value = String(repeating: "x", count: 600_000)
        let document = #"[{"name": "A", "actions": [{"func": "a", "value": "\#(value)"}]}]"#
        _ = try await desk.documents.put(Array(document.utf8), as: desk.key, by: Desk.ada)
        let copy = #"[{"op": "copy", "from": "/0", "path": "/-"}]"#
        let error = await desk.error { try await patch(desk, copy) }
        guard case .invalid(let problems) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(problems.map(\.message) == ["expected a document of 1 MiB at most"])
        let copies =
            "["
            + Array(repeating: copy.dropFirst().dropLast(), count: 9)
            .joined(separator: ",") + "]"
        guard case .patch(let error) = await desk.error({ try await patch(desk, copies) }) else {
            Issue.record("nine copies of 600 KB are within the bounds")
            return
        }
        #expect(error.kind == .tooLarge)
    }

    @Test(
        "concurrent unconditional patches in two processes are all applied",
        arguments: StoreKind.allCases
    )
    func together(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        try await desk.put("one")
        let other = BehaviorDocuments(try desk.store.other(), logger: KeptStore.quiet)
        let count = 12
        try await withThrowingTaskGroup { group in
            for number in 0..<count {
                group.addTask {
                    let patch = #"""
                        [{"op": "add", "path": "/0/actions/-", "value": {"func": "f\#(number)"}}]
                        """#
                    let documents = number % 2 == 0 ? desk.documents : other
                    _ = try await documents.patch(
                        desk.key,
                        with: Array(patch.utf8),
                        as: .operations,
                        by: Desk.bob
                    )
                }
            }
            try await group.waitForAll()
        }
        let last = try await desk.documents.revision(nil, of: desk.key)
        #expect(last.info.number == 1 + count)
        let functions = try JSON(parsing: last.bytes)[0]?["actions"]?.array?.map { $0["func"] }
        let wanted = Set((0..<count).map { JSON.string("f\($0)") })
        #expect(Set(functions?.compactMap(\.self) ?? []) == wanted)
        #expect(functions?.count == count)
    }

    @Test(
        "if an environment requires an approval, a patch makes a draft",
        arguments: StoreKind.allCases
    )
    func approvals(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        try await desk.documents.set(
            EnvironmentRules(approvals: 1),
            of: "production",
            by: Desk.ada
        )
        let error = await desk.error { try await patch(desk, "[]") }
        guard case .conflict = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let draft = try await patch(desk, "[]", isDraft: true)
        #expect(draft.live == 1)
    }
}
