import JSONCodec
import Testing

private struct Like: Codable, Constrained, Equatable {
    struct Tag: Codable, Constrained, Equatable {
        var text: String
        static var constraints: Constraints { ["text": [.minLength(2)]] }
    }
    var id: Int
    var user: String?
    var ratio: Double?
    var mail: String?
    var code: String?
    var labels: [String]?
    var tags: [Tag]?
    var limit: Int

    static var constraints: Constraints {
        [
            "id": [.minimum(1), .maximum(9)],
            "user": [.minLength(1), .maxLength(3), .example("ada"), .description("who")],
            "ratio": [.exclusiveMinimum(0), .exclusiveMaximum(1), .multipleOf(0.1)],
            "mail": [.format(.email)],
            "code": [.pattern("^[A-Z]{3}$")],
            "labels": [.minItems(1), .maxItems(2), .uniqueItems, .items(.maxLength(2))],
            "limit": [.default(20), .multipleOf(5)],
        ]
    }
}
private struct Wrong: Codable, Constrained {
    var id: Int
    var tags: [String]
    static var constraints: Constraints {
        [
            "nothing": [.minimum(1)], "id": [.minLength(1), .maxItems(1)], "tags": [.maximum(2)],
            "": [.minimum(1)],
        ]
    }
}
private struct WrongRules: Codable, Constrained {
    var id: Int
    var text: String
    static var constraints: Constraints {
        [
            "id": [.minimum(3), .maximum(2), .multipleOf(0), .items(.minimum(1))],
            "text": [.pattern("(a)\\1"), .minLength(-1)],
        ]
    }
}
private struct Even: Codable, Constrained {
    let value: Int
    init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(Int.self)
    }
    static var constraints: Constraints { ["": [.multipleOf(2)]] }
}
private struct Search: Codable { var q: String? }

@Suite("Constraints of types (JSON Schema 2020-12, validation)")
struct ConstraintsTests {
    private func keep<T: Codable & SendableMetatype>(
        _ type: T.Type,
        _ body: String?,
        text: [TextMember] = []
    ) -> Result<T, JSONTypeErrors> {
        let contract = DecodingContract.of(type)
        do {
            return .success(
                try Array((body ?? "").utf8).withUnsafeBytes { bytes in
                    try JSON.decode(
                        type,
                        from: bytes,
                        text: text,
                        backend: contract,
                        in: ReusableTape()
                    )
                }
            )
        } catch let errors as JSONTypeErrors {
            return .failure(errors)
        } catch {
            Issue.record(error)
            return .failure(JSONTypeErrors([]))
        }
    }

    private func told(_ body: String?, text: [TextMember] = []) -> [String] {
        switch keep(Like.self, body, text: text) {
        case .success: []
        case .failure(let errors): errors.all.map(\.description)
        }
    }

    @Test(
        "constraint violations have location and message",
        arguments: [
            (#"{"id":1}"#, []), (#"{"id":0}"#, ["/id: expected 1 to 9"]),
            (#"{"id":1,"user":null,"ratio":0.3,"mail":"ada@example.org","code":"EUR"}"#, []),
            (#"{"id":1,"labels":["a","b"]}"#, []),
            (#"{"id":1,"labels":["abc"]}"#, ["/labels/0: expected at most 2 characters"]),
            (
                #"{"id":1,"tags":[{"text":"ab"},{"text":"a"}]}"#,
                ["/tags/1/text: expected at least 2 characters"]
            ),
            (#"{"id":1,"limit":7}"#, ["/limit: expected a multiple of 5"]),
        ]
    )
    func kept(_ body: String, _ failures: [String]) {
        #expect(told(body) == failures)
    }

    @Test(
        "numbers with extreme exponents are rejected without a trap",
        arguments: ["0", "-0", "1", "-1", "12.50"],
        [Int.min, .min + 1, .max]
    )
    func unreasonable(_ digits: String, _ exponent: Int) {
        let failures = told(#"{"id":\#(digits)e\#(exponent),"ratio":\#(digits)e\#(exponent)}"#)
        #expect(!failures.isEmpty)
    }

    @Test("violations and type errors are reported together")
    func together() {
        #expect(
            told(#"{"user":"","ratio":"x","labels":[1,"abc"],"tags":[{}],"limit":1}"#) == [
                "/id: missing", "/user: expected 1 to 3 characters", "/ratio: expected a number",
                "/labels/0: expected a string", "/labels/1: expected at most 2 characters",
                "/tags/0/text: missing", "/limit: expected a multiple of 5",
            ]
        )
    }

    @Test("of thousands of failures the first fifty are reported")
    func bounded() {
        let tags = Array(repeating: "1", count: 5_000).joined(separator: ",")
        guard case .failure(let errors) = keep(Like.self, #"{"id":1,"tags":[\#(tags)]}"#) else {
            Issue.record("decoded")
            return
        }
        #expect(errors.all.count == 50)
        #expect(errors.isCut)
    }

    @Test("a default replaces only a missing member")
    func defaults() throws {
        #expect(try keep(Like.self, #"{"id":1}"#).get().limit == 20)
        #expect(try keep(Like.self, #"{"id":1,"limit":5}"#).get().limit == 5)
        let text = [
            TextMember(name: "id", text: "2", origin: .path),
            TextMember(name: "limit", text: "15", origin: .query),
        ]
        #expect(try keep(Like.self, nil, text: text).get().limit == 15)
        #expect(try keep(Like.self, nil, text: [text[0]]).get() == Like(id: 2, limit: 20))
        #expect(told(#"{"id":1,"limit":null}"#) == ["/limit: expected an integer"])
    }

    @Test("texts of path and query have the same constraints as JSON")
    func texts() {
        let text = [
            TextMember(name: "id", text: "0", origin: .path),
            TextMember(name: "user", text: "", origin: .query),
            TextMember(name: "labels", text: "abc", origin: .query),
        ]
        #expect(
            told(nil, text: text) == [
                "/id: expected 1 to 9", "/user: expected 1 to 3 characters",
                "/labels: expected at most 2 characters",
            ]
        )
    }

    @Test("constraints of a single-value type apply wherever it is nested")
    func single() throws {
        #expect(try keep(Even.self, "4").get().value == 4)
        #expect(throws: JSONTypeErrors.self) { try keep(Even.self, "3").get() }
        guard case .failure(let errors) = keep([String: [Even]].self, #"{"a":[2,3]}"#) else {
            Issue.record("decoded")
            return
        }
        #expect(errors.all == [.init(pointer: "/a/1", message: "expected a multiple of 2")])
    }

    @Test("constraints appear in the schema")
    func schema() {
        let members = JSON.schema(of: Like.self)["$defs"]?["Like"]?["properties"]
        #expect(
            members?["id"] == ["type": "integer", "format": "int64", "minimum": 1, "maximum": 9]
        )
        #expect(
            members?["user"] == [
                "type": ["string", "null"], "minLength": 1, "maxLength": 3,
                "description": "who", "examples": ["ada"],
            ]
        )
        #expect(members?["code"]?["pattern"] == "^[A-Z]{3}$")
        #expect(members?["labels"]?["items"] == ["type": "string", "maxLength": 2])
        #expect(members?["labels"]?["uniqueItems"] == true)
        #expect(members?["limit"]?["default"] == 20)
        let required = JSON.schema(of: Like.self)["$defs"]?["Like"]?["required"]
        #expect(required == ["id"])
    }

    @Test("constraints are determined once per type")
    func shared() {
        #expect(DecodingContract.of(Wrong.self) === DecodingContract.of(Wrong.self))
        #expect(DecodingContract.of(Wrong.self) !== DecodingContract.of(WrongRules.self))
    }

    @Test("constraints that match no member or not its type are reported")
    func problems() {
        #expect(
            DecodingContract.of(Wrong.self).content.shapes.problems == [
                "Wrong has constraints for \"nothing\" but only the members id, tags",
                "Wrong.id has rules for strings, but another type",
                "Wrong.id has rules for lists, but another type",
                "Wrong.tags has rules for numbers, but another type",
                "Wrong has rules for numbers, but another type",
            ]
        )
        let problems = DecodingContract.of(WrongRules.self).content.shapes.problems
        #expect(problems.contains("WrongRules.id: no value satisfies all limits"))
        #expect(problems.contains("WrongRules.id: a value can't be a multiple of 0"))
        #expect(problems.contains { $0.contains("has rules for elements but is not a list") })
        #expect(problems.contains { $0.contains("(a)\\1 can't be used") })
    }

    @Test("a member of a header field is read only from the field")
    func fields() throws {
        let body = #"{"q":"body"}"#
        func q(_ text: TextMember...) throws -> String? {
            try keep(Search.self, body, text: text).get().q
        }
        let query = TextMember(name: "q", text: "query", origin: .query)
        #expect(try q(query) == "query")
        #expect(try q(query, .init(name: "q", text: "field", origin: .field)) == "field")
        #expect(try q(.init(name: "q", text: "", origin: .absentField)) == nil)
        #expect(try q(query, .init(name: "q", text: "", origin: .absentField)) == nil)
    }
}
