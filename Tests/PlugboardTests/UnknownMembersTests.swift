import JSONCodec
import Plug
import PlugHTTP
import Plugboard
import Testing

private struct Line: Codable, Sendable {
    var title: String
    var count: Int?
}
private class Shop: Action<Shop.Input, Shop.Input>, POST {
    struct Input: Codable, Sendable {
        var id: Int
        var note: Change<String> = .keep
        var lines: [Line]?
        var prices: [String: Line]?
        var extra: JSON?
        var payment: Payment?
        var key: String?
    }
    static var path: String { "/shops/{id}" }
    static var fields: [String: HTTPField.Name] { ["key": .init("Api-Key") ?? .from] }
}
/// A union whose members depend on its kind.
private struct Payment: Codable, Sendable {
    enum Kind: String, Codable, CaseIterable { case card, account }
    private enum CodingKeys: CodingKey { case kind, number, iban, label }
    var kind: Kind
    var text: String
    let label = "pay"

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        kind = try members.decode(Kind.self, forKey: .kind)
        text = try members.decode(String.self, forKey: kind == .card ? .number : .iban)
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(kind, forKey: .kind)
        try members.encode(text, forKey: kind == .card ? .number : .iban)
        try members.encode(label, forKey: .label)
    }
}
private class Find: Action<Find.Query, Find.Query>, GET {
    struct Near: Codable, Sendable { var city: String? }
    struct Query: Codable, Sendable { var limit: Int?; var near: Near? }
    static var path: String { "/find" }
}
private class Hook: Action<Shop.Input, Int>, POST, IgnoresUnknownMembers {
    static var path: String { "/hooks/{id}" }
}
private class Nothing: Action<Void, Int>, GET { static var path: String { "/nothing" } }
private class Plain: Action<Line, Line> {}
private class Thing: Action<Thing.Input, Int>, GET {
    struct Input: Codable, Sendable { var id: Int }
    static var path: String { "/things/{id}" }
}

@Suite("Unknown members of inputs")
struct UnknownMembersTests {
    init() {
        Shop.self <~ { $0 }
        Find.self <~ { $0 }
        Hook.self <~ { $0.id }
        Nothing.self <~ { 1 }
        Plain.self <~ { $0 }
        Thing.self <~ { $0.id }
    }

    private let server = Server {
        Shop.self
        Find.self
        Hook.self
        Nothing.self
        Plain.self
        Thing.self
    }

    private func errors(_ answer: Answer) throws -> [String] {
        (try JSON(parsing: answer.body)["errors"]?.array ?? []).map {
            "\($0["pointer"]?.string ?? ""): \($0["detail"]?.string ?? "")"
        }
    }

    @Test(
        "are rejected in a body, nested ones too, with the nearest name",
        arguments: [
            (
                #"{"note":null,"colour":"red"}"#,
                ["/colour: unknown; known here: extra, lines, note"]
            ),
            (#"{"noet":"a"}"#, ["/noet: unknown; did you mean note?"]),
            (
                #"{"lines":[{"title":"a"},{"titel":"a"}]}"#,
                ["/lines/1/title: missing", "/lines/1/titel: unknown; did you mean title?"]
            ),
            (
                #"{"prices":{"a":{"title":"a","Count":1}}}"#,
                ["/prices/a/Count: unknown; did you mean count?"]
            ),
            (#"{"payment":{"kind":"card","number":"1","x":1}}"#, ["/payment/x: unknown; known"]),
            // Another spelling of é is another name (RFC 8259 §8.3).
            (#"{"key\u0301":"a"}"#, ["/key\u{301}: unknown"]),
            (#"{"id":9}"#, ["/id: in the path, which differs from the body"]),
            (#"{"key":"a"}"#, ["/key: has another source, not the body"]),
            (#"{"a":1,"b":2}"#, ["/a: unknown", "/b: unknown"]),
        ]
    )
    func bodies(body: String, wanted: [String]) async throws {
        try await serving(server) { (site) async throws in
            let answer = try await site.post("/shops/7", body)
            #expect(answer.status == 422)
            let errors = try errors(answer)
            #expect(errors.count == wanted.count, "\(errors)")
            for (error, beginning) in zip(errors, wanted) {
                #expect(error.hasPrefix(beginning), "\(error)")
            }
        }
    }

    @Test(
        "exclude all members of dictionaries, JSON values, patches and unions",
        arguments: [
            #"{"id":7,"lines":[{"count":1,"title":"a"}]}"#,
            #"{"id":7,"note":null}"#,
            #"{"id":7,"prices":{"anything":{"title":"a"}}}"#,
            #"{"extra":{"any":[{"thing":1}]},"id":7}"#,
            #"{"id":7,"payment":{"kind":"card","label":"pay","number":"1"}}"#,
            #"{"id":7,"payment":{"iban":"LV","kind":"account","label":"pay"}}"#,
        ]
    )
    func known(output: String) async throws {
        try await serving(server) { (site) async throws in
            var input = try JSON(parsing: output.utf8).object ?? JSON.Object()
            input["id"] = nil
            let answer = try await site.post("/shops/7", "\(JSON.object(input))")
            #expect(answer.text == output)
        }
    }

    @Test("may be null or repeat the path, as in a resource that a client sends back")
    func repeated() async throws {
        try await serving(server) { (site) async throws in
            for body in [#"{"id":7}"#, #"{"id":"7"}"#, #"{"id":null,"key":null}"#] {
                #expect(try await site.post("/shops/7", body).text == #"{"id":7}"#)
            }
        }
    }

    @Test("are rejected in queries and forms")
    func texts() async throws {
        try await serving(server) { (site) async throws in
            for (target, error) in [
                ("/find?limt=3", "/limt: unknown; did you mean limit?"),
                ("/find?near[ciyt]=Riga", "/near[ciyt]: unknown; did you mean city?"),
                ("/find?_=1", "/_: unknown; known here: limit, near"),
                ("/find?Limit=1", "/Limit: unknown; did you mean limit?"),
            ] {
                let answer = try await site.get(target)
                #expect(answer.status == 422, "\(target)")
                #expect(try errors(answer) == [error])
            }
            let form = ("Content-Type", "application/x-www-form-urlencoded")
            let posted = try await site.send("POST", "/shops/7", fields: [form], body: "noet=a")
            #expect(try errors(posted) == ["/noet: unknown; did you mean note?"])
            let queried = try await site.post("/shops/7?note=a", "{}")
            #expect(try errors(queried) == ["/note: unknown; known here: nothing"])
            #expect(try await site.get("/find?limit=3&near[city]=Riga").status == 200)
            #expect(try await site.get("/nothing").text == "1")
        }
    }

    @Test("a query is ignored if a request without a body reads nothing from it")
    func unusedQuery() async throws {
        try await serving(server) { (site) async throws in
            #expect(try await site.get("/nothing?utm_source=a").text == "1")
            #expect(try await site.get("/things/7?utm_source=a").text == "7")
            // The path decides, whatever the query says.
            #expect(try await site.get("/things/7?id=9").text == "7")
        }
    }

    @Test("are ignored by an action that declares it")
    func ignored() async throws {
        try await serving(server) { (site) async throws in
            let answer = try await site.post("/hooks/7?utm=1", #"{"colour":"red","id":9}"#)
            #expect(answer.text == "7")
        }
    }

    @Test("are rejected in the items of a batch")
    func batch() async throws {
        try await serving(server) { (site) async throws in
            let items =
                #"[{"action":"Shop","input":{"id":1}},{"action":"Plain","input":{"titel":"a"}}]"#
            let answer = try JSON(parsing: try await site.post("/actions", items).body)
            #expect(answer.array?[0]["status"] == 200)
            #expect(answer.array?[1]["status"] == 422)
        }
    }

    @Test("are excluded by the schemas of inputs, and allowed by the schemas of outputs")
    func description() async throws {
        @ActionsBuilder var actions: [ExposedAction] {
            Shop.self
            Plain.self
            Hook.self
        }
        let api = OpenAPI.document(of: actions, hasBehaviors: false)
        let schemas = api["components"]?["schemas"]
        #expect(schemas?["LineInput"]?["additionalProperties"] == false)
        #expect(schemas?["Line"]?["additionalProperties"] == nil)
        #expect(schemas?["Line"]?["properties"] == schemas?["LineInput"]?["properties"])
        let payment = schemas?["PaymentInput"]?["properties"]?.object?.names
        #expect(payment == ["kind", "number", "iban", "label"])
        func body(_ path: String) -> JSON? {
            api["paths"]?[path]?["post"]?["requestBody"]?["content"]?["application/json"]?["schema"]
        }
        let shop = body("/shops/{id}")
        #expect(shop?["additionalProperties"] == false)
        #expect(shop?["properties"]?["extra"] == [:])
        let lines = shop?["properties"]?["lines"]?["items"]
        #expect(lines == ["$ref": "#/components/schemas/LineInput"])
        let prices = shop?["properties"]?["prices"]?["additionalProperties"]
        #expect(prices == ["$ref": "#/components/schemas/LineInput"])
        #expect(shop?["properties"]?["note"] == ["type": ["string", "null"]])
        let hook = body("/hooks/{id}")
        #expect(hook?["additionalProperties"] == nil)
        let open = hook?["properties"]?["lines"]?["items"]
        #expect(open == ["$ref": "#/components/schemas/Line"])
    }
}
