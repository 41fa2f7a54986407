import JSONCodec
import SeededNumbers
import Testing

@testable import Targeting

@Suite("Request contexts")
struct ContextReaderTests {
    /// Names that a reader may know, alike in their first eight bytes.
    private let names = [
        "a", "b", "targetingKey", "targetingKez", "abcdefgh", "abcdefghi", "A", "",
    ]
    .map { Name($0) }

    /// Reads a context, and checks that known names don't change it.
    private func read(
        _ query: String?,
        _ field: String? = nil,
        key: String? = nil
    ) throws(InvalidContext) -> TargetingContext {
        let knowing = Result { () throws(InvalidContext) in
            try read(query, field, key: key, names: names)
        }
        let unknowing = Result { () throws(InvalidContext) in
            try read(query, field, key: key, names: [])
        }
        #expect(knowing.map(\.root.json) == unknowing.map(\.root.json))
        #expect(knowing.map(\.targetingKey) == unknowing.map(\.targetingKey))
        return try knowing.get()
    }

    private func read(
        _ query: String?,
        _ field: String?,
        key: String?,
        names: [Name]
    ) throws(InvalidContext) -> TargetingContext {
        let query = query.map { Array($0.utf8) }
        let field = field.map { Array($0.utf8) }
        let result: Result<TargetingContext, InvalidContext> =
            (query ?? []).withUnsafeBufferPointer { queryBytes in
                (field ?? []).withUnsafeBufferPointer { fieldBytes in
                    Result { () throws(InvalidContext) in
                        try ContextReader.context(
                            query: query == nil ? nil : queryBytes,
                            field: field == nil ? nil : fieldBytes,
                            targetingKey: key,
                            timestamp: 7,
                            names: names
                        )
                    }
                }
            }
        return try result.get()
    }

    private func json(_ query: String?, _ field: String? = nil, key: String? = nil) throws -> JSON {
        try read(query, field, key: key).root.json
    }

    private func problem(_ query: String?, _ field: String? = nil) -> String? {
        do throws(InvalidContext) {
            _ = try read(query, field)
            return nil
        } catch {
            return error.description
        }
    }

    @Test("query items are percent-encoded texts, with + for a space")
    func items() throws {
        #expect(try json(nil) == [:])
        #expect(try json("") == [:])
        #expect(try json("country=LV&n=7") == ["country": "LV", "n": "7"])
        #expect(
            try json("abcdefgh=1&abcdefghi=2&abcdefgi=3&abcdefg=4") == [
                "abcdefgh": "1", "abcdefghi": "2", "abcdefgi": "3", "abcdefg": "4",
            ]
        )
        #expect(
            try json("targetingKez=1&targetingKex=2&A=3&a=4") == [
                "targetingKez": "1", "targetingKex": "2", "A": "3", "a": "4",
            ]
        )
        #expect(try json("a&b=&&c=1=2&") == ["a": "", "b": "", "c": "1=2"])
        #expect(try json("%61=R%C4%ABga+%2B%26") == ["a": "Rīga +&"])
        #expect(try json("v=1.2.3") == ["v": "1.2.3"])
        #expect(try read("a=b").timestamp == 7)
    }

    @Test("dots in a name, encoded or not, address nested members")
    func dots() throws {
        #expect(try json("user.plan=pro") == ["user": ["plan": "pro"]])
        #expect(
            try json("user.plan=pro&user%2Ename=ada&a=b")
                == ["user": ["plan": "pro", "name": "ada"], "a": "b"]
        )
        let rule = try TargetingRule(["==": [["var": "user.plan"], "pro"]])
        #expect(rule.holds(for: try read("user.plan=pro")))
    }

    @Test("the field is JSON and is merged with the query")
    func field() throws {
        #expect(
            try json("country=LV", #"{"groups": ["beta"], "age": 36, "user": {"a": true}}"#)
                == ["groups": ["beta"], "age": 36, "user": ["a": true], "country": "LV"]
        )
        #expect(try read(nil, #"{"targetingKey":"ada"}"#).targetingKey == "ada")
    }

    @Test("an authenticated caller's id overrides the targeting key of query and field")
    func key() throws {
        #expect(try read("targetingKey=user-42").targetingKey == "user-42")
        #expect(try read("a=b").targetingKey == nil)
        for (query, field) in [
            ("targetingKey=b&c=d", nil), ("c=d", nil), ("c.d=e", nil),
            (nil, #"{"targetingKey":"b"}"#),
        ] {
            let context = try read(query, field, key: "a")
            #expect(context.targetingKey == "a")
            #expect(context.root.value(at: [.targetingKey])?.json == "a")
        }
    }

    @Test(
        "an invalid query is rejected with a reason",
        arguments: [
            ("=x", "an item of the query has no name"),
            ("a=1&b=2&a=3", "the query has a twice"),
            ("a=1&%61=1", "the query has a twice"),
            ("a=%", "a in the query is not percent-encoded UTF-8 without NUL"),
            ("a=%4", "a in the query is not percent-encoded UTF-8 without NUL"),
            ("a=%zz", "a in the query is not percent-encoded UTF-8 without NUL"),
            ("a=%00", "a in the query is not percent-encoded UTF-8 without NUL"),
            ("a=%FF", "a in the query is not percent-encoded UTF-8 without NUL"),
            ("a=%ED%A0%80", "a in the query is not percent-encoded UTF-8 without NUL"),
            ("%80=b", "a name in the query is not percent-encoded UTF-8 without NUL"),
            (".=b", ". in the query has an empty name beside a dot"),
            ("a.=b", "a. in the query has an empty name beside a dot"),
            ("a..b=c", "a..b in the query has an empty name beside a dot"),
            ("a=b&a.c=d", "a.c in the query conflicts with another name"),
            ("a.c=d&a=b", "a in the query conflicts with another name"),
            ("a.b.c.d.e.f.g.h.i=j", "in the query a.b.c.d.e.f.g.h.i nests too deep"),
        ]
    )
    func refusedQuery(_ query: String, _ reason: String) {
        #expect(problem(query) == reason)
    }

    @Test(
        "an invalid field is rejected with a reason",
        arguments: [
            ("", "Plugboard-Context is not JSON: line 1, column 1: "),
            ("{", "Plugboard-Context is not JSON: line 1, column 2: "),
            (#"{"a":1,"a":2}"#, "Plugboard-Context is not JSON: line 1, column 8: "),
            ("{}x", "Plugboard-Context is not JSON: line 1, column 3: "),
            ("country=LV", "Plugboard-Context is not JSON: line 1, column 1: "),
            ("[]", "Plugboard-Context must be a JSON object"),
            ("null", "Plugboard-Context must be a JSON object"),
            ("\"a\"", "Plugboard-Context must be a JSON object"),
            (#"{"targetingKey":7}"#, "the context: /targetingKey: expected a text"),
            (#"{"a":1e999}"#, "the context: /a: out of range"),
            (
                #"{"a":[[[[[[[[1]]]]]]]]}"#, "the context: /a/0/0/0/0/0/0/0: nests deeper than 8"
            ),
        ]
    )
    func refusedField(_ field: String, _ reason: String) {
        #expect(problem("x=y", field)?.hasPrefix(reason) == true, "\(problem("x=y", field) ?? "")")
    }

    @Test("a name in both query and field is rejected")
    func both() {
        #expect(
            problem("a=1", #"{"a":1}"#) == "the query and Plugboard-Context both have a"
        )
        #expect(
            problem("a.b=1", #"{"a":{"c":1}}"#) == "the query and Plugboard-Context both have a"
        )
    }

    @Test("contexts at the limits are accepted, above them rejected")
    func bounds() throws {
        func query(_ count: Int) -> String {
            (0..<count).map { "k\($0)=v" }.joined(separator: "&")
        }
        #expect(problem(query(256)) == nil)
        #expect(problem(query(257)) == "the query has more than 256 items")
        #expect(problem("a=" + String(repeating: "x", count: (16 << 10) - 1)) == nil)
        #expect(
            problem("a=" + String(repeating: "x", count: 16 << 10))
                == "the query has more than 16 KiB of names and texts"
        )
        #expect(problem("a.b.c.d.e.f.g.h=i") == nil)
    }

    @Test("random bytes yield a context or an error")
    func randomBytes() {
        var generator = SeededNumbers(seed: 5)
        let alphabet = Array("ab=&.%+41{}\":,[]\\u00e9\u{0}\u{7f}é".utf8) + [0x80, 0xFF]
        for _ in 0..<3_000 {
            let bytes = (0..<Int.random(in: 0..<24, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? 0
            }
            bytes.withUnsafeBufferPointer { bytes in
                for field in [nil, bytes] {
                    do throws(InvalidContext) {
                        _ = try ContextReader.context(query: bytes, field: field, names: names)
                    } catch {
                        #expect(!error.description.isEmpty)
                    }
                }
            }
        }
    }
}
