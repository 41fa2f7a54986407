import HTTPTypes
import JSONCodec
import Plug
import PlugHTTP
import Plugboard
import Testing

private class Order: Action<Order.Input, Order.Input>, POST {
    struct Item: Codable, Sendable, Constrained {
        var title: String
        static var constraints: Constraints { ["title": [.minLength(1), .maxLength(5)]] }
    }
    struct Input: Codable, Sendable {
        var id: Int
        var user: String
        var items: [Item]?
        var key: String?
        var deep: Bool?
    }
    static var path: String { "/orders/{id}" }
    static var fields: [String: HTTPField.Name] {
        HTTPField.Name("API-Key").map { ["key": $0] } ?? [:]
    }
}
private class Page: Action<Page.Query, Page.Query>, GET {
    struct Query: Codable, Sendable, Constrained {
        struct Near: Codable, Sendable { var city: String }
        var limit: Int
        var near: Near?
        var tag: [String]?
        static var constraints: Constraints {
            ["limit": [.default(20), .minimum(1), .maximum(100)], "tag": [.maxItems(2)]]
        }
    }
    static var path: String { "/pages" }
}
private class Labelled: Action<Labelled.Input, Labelled.Input>, GET {
    struct Input: Codable, Sendable {
        var labels: [String]?
        var levels: [Int]?
        var note: String?
    }
    static var path: String { "/labelled" }
    static var fields: [String: HTTPField.Name] {
        let names = [("labels", "X-Label"), ("levels", "X-Level"), ("note", "X-Note")]
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { member, name in
                HTTPField.Name(name).map { (member, $0) }
            }
        )
    }
}
private class Plain: Action<Plain.Input, Plain.Input>, PUT {
    struct Input: Codable, Sendable { var id: Int; var a: String; var b: [Int]?; var c: Bool? }
    static var path: String { "/plain/{id}" }
}
private struct SoldOut: DeclaredProblem {
    static let status = HTTPResponse.Status.conflict
    static let type = "https://example.com/problems/sold-out"
    static let title = "Sold out"
    var detail: String?
}
private class Buy: Action<Void, Int>, POST {
    static var path: String { "/buy" }
    static var problems: [any DeclaredProblem.Type] { [SoldOut.self] }
}

@Suite("Validation of inputs")
struct InputContractTests {
    init() {
        Order.self <~ { $0 }
        Page.self <~ { $0 }
        Plain.self <~ { $0 }
        Buy.self <~ { () throws -> Int in throw SoldOut(detail: "none left") }
    }

    private let server = Server {
        Order.self
        Page.self
        Plain.self
        Buy.self
    }

    private func errors(_ answer: Answer) throws -> [String] {
        let problem = try JSON.decode(Problem.self, from: answer.body)
        return problem.errors?.map { "\($0.pointer): \($0.detail)" } ?? []
    }

    @Test("all errors of an input are reported at once, with 422")
    func all() async throws {
        try await serving(server) { site in
            let plain = try await site.put("/plain/7", #"{"b":[1,"x"],"c":5}"#)
            #expect(plain.status == 422)
            #expect(
                try errors(plain) == [
                    "/a: missing", "/b/1: expected an integer", "/c: expected true or false",
                ]
            )
            let order = try await site.post("/orders/7", #"{"items":[{"title":""},{}],"deep":1}"#)
            #expect(order.status == 422)
            #expect(
                try errors(order) == [
                    "/user: missing", "/items/0/title: expected 1 to 5 characters",
                    "/items/1/title: missing", "/deep: expected true or false",
                ]
            )
            let nested = try await site.post(
                "/orders/7",
                #"{"user":"a","items":[{"title":"abcdef"}]}"#
            )
            #expect(nested.status == 422)
            #expect(try errors(nested) == ["/items/0/title: expected 1 to 5 characters"])
        }
    }

    @Test("a path's value of the wrong type is a 400, together with a body's errors a 422")
    func path() async throws {
        try await serving(server) { site in
            #expect(try await site.put("/plain/x", #"{"a":"a"}"#).status == 400)
            let both = try await site.put("/plain/x", "{}")
            #expect(both.status == 422)
            #expect(try errors(both) == ["/id: expected an integer", "/a: missing"])
            #expect(try await site.put("/plain/7", "{").status == 400)
        }
    }

    @Test("a query has defaults, constraints, lists and nested members")
    func query() async throws {
        try await serving(server) { (site) async throws in
            #expect(try await site.get("/pages").text == #"{"limit":20}"#)
            #expect(
                try await site.get("/pages?tag=a&tag=b&limit=5&near%5Bcity%5D=Riga").text
                    == #"{"limit":5,"near":{"city":"Riga"},"tag":["a","b"]}"#
            )
            // As HTML forms send empty inputs and empty lists.
            #expect(
                try await site.get("/pages?limit=&tag%5B%5D=").text == #"{"limit":20,"tag":[]}"#
            )
            let bad = try await site.get("/pages?limit=0&tag=a&tag=b&tag=c")
            #expect(bad.status == 422)
            #expect(
                try errors(bad) == [
                    "/limit: expected 1 to 100", "/tag: expected at most 2 elements",
                ]
            )
        }
    }

    @Test("a form is decoded like a query (URL Standard, 5.1)")
    func form() async throws {
        func post(_ site: Site, _ target: String, _ body: String) async throws -> Answer {
            let type = ("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
            return try await site.send("POST", target, fields: [type], body: body)
        }
        try await serving(server) { (site) async throws in
            #expect(
                try await post(site, "/orders/7", "user=ada+b%20c&deep=true").text
                    == #"{"deep":true,"id":7,"user":"ada b c"}"#
            )
            #expect(try await post(site, "/orders/7", "deep=true").status == 422)
            #expect(try await post(site, "/orders/7", "user=%zz").status == 400)
            let many = Array(repeating: "user=a", count: 300).joined(separator: "&")
            #expect(try await post(site, "/orders/7", many).status == 400)
        }
    }

    @Test("a member of a header field is read only from that field")
    func fields() async throws {
        try await serving(server) { (site) async throws in
            let other = try await site.post("/orders/7", #"{"user":"a","key":"body"}"#)
            #expect(other.status == 422)
            #expect(try errors(other) == ["/key: has another source, not the body"])
            let body = #"{"user":"a"}"#
            #expect(try await site.post("/orders/7", body).text == #"{"id":7,"user":"a"}"#)
            #expect(
                try await site.post("/orders/7", body, [("api-key", "k 1")]).text
                    == #"{"id":7,"key":"k 1","user":"a"}"#
            )
            let twice = try await site.post(
                "/orders/7",
                body,
                [("API-Key", "1"), ("API-KEY", "2")]
            )
            #expect(twice.status == 422)
            #expect(try errors(twice) == ["/key: given more than once"])
        }
    }

    @Test("a list of a header field has the elements of all lines (RFC 9110 §5.3, §5.6.1)")
    func fieldLists() async throws {
        Labelled.self <~ { $0 }
        try await serving(Server { Labelled.self }) { (site) async throws in
            func answer(_ fields: (String, String)...) async throws -> String {
                try await site.send("GET", "/labelled", fields: fields).text
            }
            #expect(try await answer(("X-Label", "a")) == #"{"labels":["a"]}"#)
            #expect(
                try await answer(("X-Label", "a, b ,,c"), ("x-label", "d"))
                    == #"{"labels":["a","b","c","d"]}"#
            )
            #expect(
                try await answer(("X-Label", #""a, b", "c \"d\"""#))
                    == #"{"labels":["a, b","c \"d\""]}"#
            )
            #expect(
                try await answer(("X-Level", "1,2"), ("X-Level", "3")) == #"{"levels":[1,2,3]}"#
            )
            #expect(try await answer() == "{}")
            #expect(try await answer(("X-Label", " , ")) == #"{"labels":[]}"#)
            #expect(try await answer(("X-Label", "")) == #"{"labels":[]}"#)
            // What is no list has its commas.
            #expect(try await answer(("X-Note", #"a, "b""#)) == #"{"note":"a, \"b\""}"#)
            // Who keeps the answer has to know that it goes by them (RFC 9110 §12.5.5).
            let plain = try await site.get("/labelled")
            #expect(plain.fields.contains { $0 == ("Vary", "x-label, x-level, x-note") })
            let wrong = try await site.send("GET", "/labelled", fields: [("X-Level", "1, x")])
            #expect(wrong.status == 422)
            #expect(try errors(wrong).map { $0.prefix(9) } == ["/levels/1"])
        }
    }

    @Test("a declared problem is the response")
    func problem() async throws {
        try await serving(server) { site in
            let answer = try await site.send("POST", "/buy")
            #expect(answer.status == 409)
            let problem = try JSON.decode(Problem.self, from: answer.body)
            #expect(problem.type == "https://example.com/problems/sold-out")
            #expect(problem.title == "Sold out")
            #expect(problem.detail == "none left")
        }
    }

    @Test("an invalid declaration is a start-up error")
    func declarations() throws {
        class Odd: Action<Odd.Input, Void>, POST {
            struct Input: Codable, Sendable, Constrained {
                var id: Int
                var key: String
                static var constraints: Constraints {
                    ["name": [.minLength(1)], "key": [.pattern("(")]]
                }
            }
            static var path: String { "/odd/{id}" }
            static var fields: [String: HTTPField.Name] { ["id": .age, "other": .accept] }
        }
        Odd.self <~ { _ in }
        let error = #expect(throws: StartError.self) {
            var server = Server { Odd.self }
            server.configuration.port = 0
            _ = try server.start()
        }
        let problems = try #require(error?.problems)
        #expect(problems.contains { $0.contains("but only the members id, key") })
        #expect(problems.contains { $0.contains("the pattern ( can't be used") })
        #expect(problems.contains { $0.contains("takes {id} from the path and from Age") })
        #expect(problems.contains { $0.contains("takes other from Accept") })
    }
}
