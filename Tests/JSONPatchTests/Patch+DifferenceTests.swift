import JSONCodec
import JSONPatch
import SeededNumbers
import Testing

@Suite("A patch made from two documents")
struct PatchDifferenceTests {
    private func difference(_ old: String, _ new: String) throws -> String {
        let (old, new) = (try json(old), try json(new))
        let patch = Patch(from: old, to: new)
        let applied = try patch.apply(to: old)
        #expect(applied == new)
        return patch.operations.map { operation in
            let json = operation.json
            let from = json["from"].flatMap(\.string).map { "\($0) → " } ?? ""
            let value = json["value"].map { " \($0)" } ?? ""
            return "\(json["op"]?.string ?? "") \(from)\(json["path"]?.string ?? "")\(value)"
        }.joined(separator: "; ")
    }

    @Test(
        "contains only the changes",
        arguments: [
            ("[]", "[]", ""),
            (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, ""),
            ("1", "2", "replace  2"),
            ("{}", "[]", "replace  []"),
            (#"{"a":1}"#, #"{"a":1.0}"#, "replace /a 1.0"),
            ("[\"e\u{301}\",1,1]", "[\"\u{E9}\",1,1]", "replace /0 \"\u{E9}\""),
            (#"{"a":1,"b":2,"c":3}"#, #"{"a":1,"c":4,"d":5}"#, "remove /b; replace /c 4; add /d 5"),
            (#"{"a":null}"#, #"{}"#, "remove /a"),
            ("[1,2,3]", "[1,3]", "remove /1"),
            ("[1,3]", "[1,2,3]", "add /1 2"),
            ("[1,2,3]", "[1,2,3,4]", "add /3 4"),
            ("[1,2,3,4,5]", "[5,1,2,3,4]", "move /4 → /0"),
            ("[1,2,3,4,5]", "[2,3,4,5,1]", "move /0 → /4"),
            ("[1,1,1,1]", "[1,1,1]", "remove /3"),
            ("[1,2,3,4]", "[1,9,3,4]", "replace /1 9"),
            (
                "[1,2,3,4,5,6]", "[6,5,4,3,2,7,1]",
                "move /5 → /0; move /5 → /1; move /5 → /2; move /5 → /3; move /5 → /4; add /5 7"
            ),
            (
                #"[{"id":1,"v":1,"x":[1,2,3]},{"id":2,"v":1}]"#,
                #"[{"id":2,"v":1},{"id":1,"v":2,"x":[1,2,3]}]"#, "move /0 → /1; replace /1/v 2"
            ),
            (#"{"a/b":{"~":[1,2,3]}}"#, #"{"a/b":{"~":[1,3]}}"#, "remove /a~1b/~0/1"),
            (
                #"[{"name":"A","actions":[{"func":"f"}]},{"name":"B","actions":[]}]"#,
                #"[{"name":"N","actions":[]},{"name":"A","actions":[{"func":"f","when":{"rollout":10}}]},{"name":"B","actions":[]}]"#,
                #"add /0 {"name":"N","actions":[]}; add /1/actions/0/when {"rollout":10}"#
            ),
            ("[1,2,3,4]", "[5,6,7,8]", "replace  [5,6,7,8]"),
        ]
    )
    func words(_ old: String, _ new: String, _ patch: String) throws {
        #expect(try difference(old, new) == patch)
    }

    @Test("applied to the first document, it yields the second exactly", arguments: 0..<40)
    func property(_ seed: Int) throws {
        var numbers = SeededNumbers(seed: UInt64(seed))
        for _ in 0..<50 {
            let old = document(depth: 4, &numbers)
            let new =
                Bool.random(using: &numbers) ? document(depth: 4, &numbers) : changed(old, &numbers)
            let patch = Patch(from: old, to: new)
            let read = try Patch(JSON(parsing: patch.json.encoded()))
            let applied = try read.apply(to: old)
            #expect(applied == new, "\(old) → \(new): \(patch.json)")
            #expect(Patch(from: new, to: applied).operations.isEmpty)
        }
    }

    @Test(
        "of shuffled lists yields the second list with the fewest moves",
        arguments: 0..<20
    )
    func shuffled(_ seed: Int) throws {
        var numbers = SeededNumbers(seed: UInt64(seed))
        for count in 1..<40 {
            let old = (0..<count).map { JSON.number(.init($0)) }
            var new = old.shuffled(using: &numbers)
            new.removeAll { _ in Int.random(in: 0..<5, using: &numbers) == 0 }
            for _ in 0..<Int.random(in: 0..<5, using: &numbers) {
                new.insert("new", at: Int.random(in: 0...new.count, using: &numbers))
            }
            // Within an object that is large, so that the list isn't replaced as a whole.
            let padding = JSON.array(Array(repeating: [1, 2, 3], count: 5))
            let patch = Patch(
                from: ["list": .array(old), "other": padding],
                to: ["list": .array(new), "other": padding]
            )
            let applied = try patch.apply(to: ["list": .array(old), "other": padding])
            #expect(applied["list"] == .array(new))
        }
    }

    @Test("of ten thousand actions that all changed is computed and applied")
    func large() throws {
        var numbers = SeededNumbers(seed: 1)
        let old = (0..<10_000).map { JSON.object(["func": .string("f\($0)"), "value": 1]) }
        var new = old
        for place in 0..<2_000 { new[place * 5]["value"] = 2 }
        for _ in 0..<500 {
            let moved = new.remove(at: Int.random(in: 0..<new.count, using: &numbers))
            new.insert(moved, at: Int.random(in: 0...new.count, using: &numbers))
        }
        let document: JSON = [["name": "A", "actions": .array(old)]]
        let changed: JSON = [["name": "A", "actions": .array(new)]]
        let patch = Patch(from: document, to: changed)
        #expect((2_000...2_500).contains(patch.operations.count))
        let applied = try patch.apply(to: document)
        #expect(applied == changed)

        let shuffled: JSON = [["name": "A", "actions": .array(old.shuffled(using: &numbers))]]
        let moves = Patch(from: document, to: shuffled)
        let rearranged = try moves.apply(to: document)
        #expect(rearranged == shuffled)
    }

    @Test("stays within the limits, however many changes there are")
    func bounded() throws {
        let old = JSON.array((0..<10_001).map { ["id": .number(.init($0)), "v": [1, 2, 3, 4]] })
        let new = JSON.array((0..<10_001).map { ["id": .number(.init($0)), "v": [1, 2, 3, 5]] })
        let patch = Patch(from: old, to: new)
        #expect(patch.operations.count == 1)
        let applied = try patch.apply(to: old)
        #expect(applied == new)
    }

    @Test("of deeply nested documents replaces only the changed value")
    func deep() throws {
        func nested(_ value: JSON) -> JSON {
            (0..<500).reduce(value) { inner, _ in ["a": inner, "b": 1] }
        }
        let patch = Patch(from: nested(1), to: nested(2))
        let applied = try patch.apply(to: nested(1))
        #expect(applied == nested(2))
        #expect(patch.operations.count == 1)
    }
}

// MARK: Documents

/// A document of few names and values, so that much of it is alike.
private func document(depth: Int, _ numbers: inout SeededNumbers) -> JSON {
    let kind = Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &numbers)
    switch kind {
    case 0: return .null
    case 1: return .bool(.random(using: &numbers))
    case 2:
        return .number(
            JSON.Number(["0", "1", "1.0", "1e2", "-0"].randomElement(using: &numbers) ?? "0")
                ?? .init(0)
        )
    case 3, 4:
        return .string(
            ["", "a", "/", "~", "e\u{301}", "\u{E9}"].randomElement(using: &numbers) ?? ""
        )
    case 5, 6:
        return .array(
            (0..<Int.random(in: 0..<6, using: &numbers)).map { _ in
                document(depth: depth - 1, &numbers)
            }
        )
    default:
        let names = ["name", "func", "a/b", "~", "", "e\u{301}", "\u{E9}"]
        return .object(
            JSON.Object(
                names.shuffled(using: &numbers).prefix(Int.random(in: 0..<5, using: &numbers))
                    .map { ($0, document(depth: depth - 1, &numbers)) }
            )
        )
    }
}

/// The document with something changed here and there.
private func changed(_ json: JSON, _ numbers: inout SeededNumbers) -> JSON {
    guard Int.random(in: 0..<8, using: &numbers) > 0 else { return document(depth: 2, &numbers) }
    switch json {
    case .array(var elements):
        for place in elements.indices { elements[place] = changed(elements[place], &numbers) }
        if Int.random(in: 0..<3, using: &numbers) == 0 { elements.shuffle(using: &numbers) }
        if !elements.isEmpty, Int.random(in: 0..<4, using: &numbers) == 0 { elements.removeFirst() }
        return .array(elements)
    case .object(let members):
        return .object(JSON.Object(members.map { ($0.name, changed($0.value, &numbers)) }))
    default: return json
    }
}
