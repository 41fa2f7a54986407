import JSONCodec
import PlugboardClient
import SeededNumbers
import Testing

@Suite("A view of random JSON")
struct JSONViewFuzzTests {
    /// 100,000 documents of the view's names and random values.
    @Test("is whole or has problems, and never traps", arguments: 0..<10)
    func random(seed: Int) throws {
        var numbers = SeededNumbers(seed: UInt64(seed))
        var wholeCount = 0
        for _ in 0..<10_000 {
            let json = Self.follow(&numbers)
            let text = json.encoded()
            let content = try ViewContent(parsing: text)
            let lenient = ResponseFollow.lenient(content)
            let view = lenient.view
            #expect(view.json == json)
            // A view within an array is read from the parser's tape instead of a scan.
            let array = Array("[".utf8) + text + Array("]".utf8)
            let taped = try JSON.decode([Lenient<ResponseFollow>].self, from: array)
            #expect(taped.map(\.problems) == [lenient.problems] && taped.map(\.view) == [view])
            #expect("\(view)".utf8.elementsEqual(text))
            // All members are read, whatever they are.
            let reads: [String?] = [
                view.follower.username, view.followed?.email, view.others.first?.plan,
                view.others.last?.home?.city, view.follower.tags.first,
                "\(view.cells.count) \(view.follower.identifier) \(view.follower.score ?? 0)",
            ]
            if lenient.problems.isEmpty {
                wholeCount += 1
                #expect(reads[0] == json["follower"]?["username"]?.string)
                #expect(view.follower.identifier == json["follower"]?["id"]?.int)
                #expect(view.cells.count == json["cells"]?.array?.count ?? 0)
                #expect(try ResponseFollow(content) == view)
            } else {
                #expect(throws: ViewError.self) { try ResponseFollow(content) }
                #expect(
                    lenient.problems.allSatisfy { $0.pointer.isEmpty || $0.pointer.first == "/" }
                )
            }
            let changed = view.setting(\.follower.username, to: "ada").setting(
                \.follower.email,
                to: nil
            )
            #expect(changed.follower.username == "ada")
            if let patch = changed.mergePatch, json.object != nil {
                #expect(patch["follower"] != nil || changed == view)
            }
        }
        #expect(wholeCount > 500 && wholeCount < 9_500)
    }

    @Test("is an error of the parser for a text that is cut or changed")
    func damaged() {
        var numbers = SeededNumbers(seed: 77)
        for _ in 0..<5_000 {
            var text = Self.follow(&numbers).encoded()
            text[Int.random(in: 0..<text.count, using: &numbers)] = .random(
                in: .min ... .max,
                using: &numbers
            )
            text = Array(text.prefix(Int.random(in: 0...text.count, using: &numbers)))
            guard let content = try? ViewContent(parsing: text) else { continue }
            let lenient = ResponseFollow.lenient(content)
            #expect(String(decoding: text, as: UTF8.self).contains("\(lenient.view)"))
        }
    }

    private static func follow(_ numbers: inout SeededNumbers) -> JSON {
        guard !chance(20, &numbers) else { return value(2, &numbers) }
        var json: JSON.Object = [:]
        json["follower"] = chance(20, &numbers) ? value(2, &numbers) : user(&numbers)
        if chance(2, &numbers) {
            json["followed"] = chance(3, &numbers) ? value(2, &numbers) : user(&numbers)
        }
        if chance(2, &numbers) {
            json["others"] = .array(
                (0..<Int.random(in: 0..<4, using: &numbers)).map { _ in user(&numbers) }
            )
        }
        if chance(2, &numbers) {
            json["cells"] = [1, nil, chance(9, &numbers) ? value(1, &numbers) : 3]
        }
        return .object(json)
    }

    private static func user(_ numbers: inout SeededNumbers) -> JSON {
        var json: JSON.Object = ["username": "u/~\"é", "id": 7]
        for name in ["username", "id", "email", "plan", "score", "is/Admin", "tags", "home", "x"]
        where chance(40, &numbers) {
            json[name] = value(2, &numbers)
        }
        if chance(3, &numbers) { json["home"] = ["city": "Riga"] }
        if chance(3, &numbers) { json["email"] = .null }
        return .object(json)
    }

    private static func chance(_ count: Int, _ numbers: inout SeededNumbers) -> Bool {
        Int.random(in: 0..<count, using: &numbers) == 0
    }

    private static func value(_ depth: Int, _ numbers: inout SeededNumbers) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 7), using: &numbers) {
        case 0: .null
        case 1: .bool(Bool.random(using: &numbers))
        case 2: .number(JSON.Number(Int.random(in: .min ... .max, using: &numbers)))
        case 3: JSON.Number("1e999").map(JSON.number) ?? .null
        case 4: JSON.Number("-12345678901234567890.5E-3").map(JSON.number) ?? .null
        case 5: .string("")
        case 6: .string("\u{1F30D}\n\\\u{0}")
        case 7: .array((0..<3).map { _ in value(depth - 1, &numbers) })
        default:
            .object(
                JSON.Object(
                    ["username", "city", "id", ""].map { ($0, value(depth - 1, &numbers)) }
                )
            )
        }
    }
}
