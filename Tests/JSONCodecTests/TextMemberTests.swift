import JSONCodec
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Members from path and query")
struct TextMemberTests {
    struct Query: Codable, Equatable {
        enum Order: String, Codable, CaseIterable { case newest, oldest }
        var id: Int
        var user: String?
        var deep: Bool?
        var ratio: Double?
        var order: Order?
        var tags: [String]?
        var page: URL?
    }

    private func decode<T: Decodable>(
        _ type: T.Type,
        _ body: String? = nil,
        path: [(String, String)] = [],
        query: [(String, String)] = []
    ) throws -> T {
        let text =
            path.map { TextMember(name: $0.0, text: $0.1, origin: .path) }
            + query.map { TextMember(name: $0.0, text: $0.1, origin: .query) }
        guard let body else { return try JSON.decode(type, from: nil, text: text) }
        return try Array(body.utf8).withUnsafeBytes {
            try JSON.decode(type, from: $0, text: text)
        }
    }

    @Test("texts are decoded as the type's scalars")
    func scalars() throws {
        let query = try decode(
            Query.self,
            path: [("id", "42")],
            query: [
                ("user", "7"), ("deep", "true"), ("ratio", "0.5"), ("order", "oldest"),
                ("tags", "a"), ("tags", "b"), ("page", "https://eleven-labs.com/"), ("x", "y"),
            ]
        )
        #expect(query.id == 42 && query.user == "7" && query.deep == true && query.ratio == 0.5)
        #expect(query.order == .oldest && query.tags == ["a", "b"])
        #expect(query.page?.host() == "eleven-labs.com")
        #expect(try decode(Query.self, query: [("id", "1"), ("tags", "a")]).tags == ["a"])
        #expect(
            try decode([String: [Int]].self, query: [("a", "1"), ("a", "2")]) == ["a": [1, 2]]
        )
        #expect(try decode([String: String].self, query: [("é\"", "\\n")]) == ["é\"": "\\n"])
        #expect(
            try decode(JSON.self, "{\"b\":1}", query: [("a", "1"), ("c", "x"), ("c", "y")])
                == ["a": "1", "b": 1, "c": ["x", "y"]]
        )
    }

    @Test(
        "an integer has one notation: /photos/1.0 isn't /photos/1",
        arguments: ["1.0", "1e0", "10e-1", "+1", "01", " 1", "1 ", "", "0x1", "1_0", "١", "-"]
    )
    func otherIntegers(_ text: String) {
        #expect(throws: (any Error).self) { try decode(Query.self, path: [("id", text)]) }
    }

    @Test("texts override the body's members")
    func overBody() throws {
        let body = #"{"id":1,"user":"body","deep":true}"#
        let query = try decode(Query.self, body, path: [("id", "42")], query: [("user", "q")])
        #expect(query == Query(id: 42, user: "q", deep: true))
        for count in [5, 20, 1_000] {
            let members = (0..<count).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
            let texts = (0..<count).map { ("k\($0 * 2)", "-1") }
            let all = try decode([String: Int].self, "{\(members)}", query: texts)
            #expect(all.count == count + count / 2)
            #expect(all["k2"] == -1 && all["k3"] == 3)
        }
    }

    @Test("texts of the path override those of the query")
    func pathOverQuery() throws {
        let query = try decode(Query.self, path: [("id", "42")], query: [("id", "7"), ("id", "8")])
        #expect(query.id == 42)
    }

    @Test("an invalid text is rejected with its location")
    func errors() {
        func message(_ query: (String, String)...) -> String? {
            failure { _ = try decode(Query.self, query: query) }
        }
        #expect(message() == "/id: missing")
        #expect(message(("id", "x")) == "/id: expected an integer")
        #expect(message(("id", "007")) == "/id: expected an integer")
        #expect(message(("id", "")) == "/id: expected an integer")
        #expect(message(("id", "1e30")) == "/id: expected an integer")
        let big = String(repeating: "9", count: 30)
        #expect(message(("id", big))?.hasPrefix("/id: out of range") == true)
        #expect(message(("id", "1"), ("id", "2")) == "/id: given more than once")
        #expect(message(("id", "1"), ("deep", "yes")) == "/deep: expected true or false")
        #expect(
            message(("id", "1"), ("order", "best"))
                == #"/order: unknown value "best": expected one of newest, oldest"#
        )
        #expect(
            failure { _ = try decode([String: [Int]].self, query: [("a", "1"), ("a", "x")]) }
                == "/a/1: expected an integer"
        )
        #expect(
            failure { _ = try decode([String: [String: Int]].self, query: [("a", "1")]) }
                == "/a: expected an object"
        )
        #expect(
            failure { _ = try decode(Query.self, "[1]", query: [("id", "1")]) }
                == "expected an object"
        )
        #expect(
            failure { _ = try decode(Query.self, "[1", query: [("id", "1")]) }?.hasPrefix("line 1")
                == true
        )
    }

    @Test("texts and body may both be absent")
    func absent() throws {
        struct Nothing: Decodable {}
        for body in [nil, ""] {
            _ = try decode(Nothing.self, body)
            #expect(try decode([String: Int].self, body).isEmpty)
            #expect(try decode(Int?.self, body) == nil)
            #expect(failure { _ = try decode(Int.self, body) } == "missing")
            #expect(failure { _ = try decode([Int].self, body) } == "missing")
            #expect(failure { _ = try decode(Query.self, body) } == "/id: missing")
        }
    }

    @Test("texts are ignored if the body is a single value")
    func single() throws {
        #expect(try decode(Int.self, "42") == 42)
        #expect(try decode([String].self, #"["a"]"#) == ["a"])
        #expect(try decode([Int].self, "[1]", query: [("utm", "x")]) == [1])
    }

    @Test("many texts take linear time")
    func many() throws {
        let query = (0..<50_000).map { ("k\($0 % 25_000)", "\($0)") }
        let all = try decode([String: [Int]].self, query: query)
        #expect(all.count == 25_000)
        #expect(all["k7"] == [7, 25_007])
    }
}
