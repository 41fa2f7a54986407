import JSONCodec
import Plug
import PlugHTTP
import Plugboard
import Testing

private class Merge: Action<Merge.Input, Merge.Input>, POST {
    struct Input: Codable, Sendable { var id: Int; var user: String?; var tags: [String]? }
    static var path: String { "/merge/{id}" }
}
private class Search: Action<Search.Query, Search.Query>, GET {
    struct Query: Codable, Sendable {
        var q: String?
        var tag: [String]?
        var limit: Int?
        var deep: Bool?
        var ratio: Double?
    }
    static var path: String { "/search" }
}
private class Replace: Action<Replace.Input, Void>, PUT {
    struct Input: Codable, Sendable { var id: Int; var title: String? }
    static var path: String { "/replace/{id}" }
}
private class Nothing: Action<Void, Void> {}
private class Give: Action<Void, [Int]> {}
private class Take: Action<Take.Input, Void> {
    struct Input: Codable, Sendable { var text: String }
}
private class Both: Action<[Int], Int> {}
private class Perhaps: Action<Void, Int?>, GET {
    static var path: String { "/perhaps" }
}
private class Make: Action<Take.Input, Make.Made>, POST {
    struct Made: Codable, Sendable { var id: Int; var text: String }
    static var path: String { "/made" }
    static func location(of made: Made) -> String? { made.id > 0 ? "/made/\(made.id)" : nil }
}

@Suite("Exposed actions")
struct ExposedActionTests {
    init() {
        Merge.self <~ { $0 }
        Search.self <~ { $0 }
        Replace.self <~ { _ in }
        Nothing.self <~ {}
        Give.self <~ { [1, 2] }
        Take.self <~ { _ in }
        Both.self <~ { $0.reduce(0, +) }
        Perhaps.self <~ { nil }
        Make.self <~ { .init(id: $0.text.count, text: $0.text) }
    }

    private let server = Server {
        Merge.self
        Search.self
        Replace.self
        Nothing.self
        Give.self
        Take.self
        Both.self
        Perhaps.self
        Make.self
    }

    @Test("the query is the input of an action without a body")
    func query() async throws {
        try await serving(server) { site in
            let answer = try await site.get(
                "/search?q=a%20b+c&tag=x&limit=3&deep=true&tag=y&ratio=0.5"
            )
            #expect(
                answer.text
                    == #"{"deep":true,"limit":3,"q":"a b c","ratio":0.5,"tag":["x","y"]}"#
            )
            #expect(try await site.get("/search").text == "{}")
            #expect(try await site.get("/search?").text == "{}")
            #expect(try await site.get("/search?tag=x").text == #"{"tag":["x"]}"#)
            #expect(try await site.get("/search?q=").text == #"{"q":""}"#)
        }
    }

    @Test("the body of a GET isn't its input")
    func bodyOfGET() async throws {
        try await serving(server) { site in
            let answer = try await site.send("GET", "/search?q=a", body: #"{"q":"b"}"#)
            #expect(answer.text == #"{"q":"a"}"#)
        }
    }

    @Test("members of the path and the body are one input")
    func merge() async throws {
        try await serving(server) { site in
            let answer = try await site.post("/merge/7", #"{"user":"ada","tags":["a"]}"#)
            #expect(answer.text == #"{"id":7,"tags":["a"],"user":"ada"}"#)
        }
    }

    @Test("an empty or missing body has no members")
    func emptyBody() async throws {
        try await serving(server) { site in
            #expect(try await site.send("POST", "/merge/7").text == #"{"id":7}"#)
            #expect(try await site.send("POST", "/merge/7", body: "").text == #"{"id":7}"#)
            let chunked = try await site.send(
                "POST",
                "/merge/7",
                fields: [("Transfer-Encoding", "chunked")],
                chunks: []
            )
            #expect(chunked.text == #"{"id":7}"#)
            #expect(try await site.send("PUT", "/replace/7").status == 204)
        }
    }

    @Test("a body may be chunked")
    func chunks() async throws {
        try await serving(server) { site in
            let answer = try await site.send(
                "POST",
                "/merge/7",
                fields: [
                    ("Transfer-Encoding", "chunked"), ("Content-Type", "application/json"),
                ],
                chunks: [#"{"us"#, #"er":"ada"}"#]
            )
            #expect(answer.text == #"{"id":7,"user":"ada"}"#)
        }
    }

    @Test(
        "a JSON body is accepted, with or without parameters of the media type",
        arguments: [
            "application/json", "application/json; charset=utf-8", "Application/JSON",
            "application/merge-patch+json",
        ]
    )
    func mediaType(_ type: String) async throws {
        try await serving(server) { site in
            let fields = [("Content-Type", type)]
            let answer = try await site.send(
                "POST",
                "/merge/7",
                fields: fields,
                body: #"{"user":"ada"}"#
            )
            #expect(answer.text == #"{"id":7,"user":"ada"}"#)
        }
    }

    @Test("two media types are a 400, since an intermediary may use either (RFC 9110 §5.3)")
    func twoMediaTypes() async throws {
        try await serving(server) { site in
            for second in ["text/plain", "application/json"] {
                let answer = try await site.send(
                    "POST",
                    "/merge/7",
                    fields: [("Content-Type", "application/json"), ("Content-Type", second)],
                    body: "{}"
                )
                #expect(answer.status == 400)
            }
        }
    }

    @Test("a PUT with Content-Range is a 400, since it has only a part (RFC 9110 §14.5)")
    func partialPut() async throws {
        try await serving(server) { site in
            let answer = try await site.send(
                "PUT",
                "/replace/7",
                fields: [("Content-Range", "bytes 0-1/2")],
                body: "{}"
            )
            #expect(answer.status == 400)
            #expect(answer.mediaType == "application/problem+json")
        }
    }

    @Test(
        "a body of an unsupported media type is a 415",
        arguments: [
            "text/plain", "application/x-www-form", "application/jsonx", "+json",
            "application/xml; a=+json", "multipart/form-data; boundary=x", "json", "",
        ]
    )
    func otherMediaType(_ type: String) async throws {
        try await serving(server) { site in
            let answer = try await site.send(
                "POST",
                "/merge/7",
                fields: [("Content-Type", type)],
                body: "{}"
            )
            #expect(answer.status == 415)
            #expect(answer["Accept"] == "application/json, application/x-www-form-urlencoded")
            #expect(answer.mediaType == "application/problem+json")
        }
    }

    @Test(
        "JSON that is declared as a form is rejected",
        arguments: [#"{"user":"ada"}"#, #"[{"user":"ada"}]"#]
    )
    func misnamed(_ body: String) async throws {
        try await serving(server) { site in
            let fields = [("Content-Type", "application/x-www-form-urlencoded")]
            let answer = try await site.send("POST", "/merge/7", fields: fields, body: body)
            #expect(answer.status == 415)
            #expect(answer.text.contains("Content-Type: application/json"))
        }
    }

    @Test("the media type of an empty body is ignored")
    func mediaTypeOfNothing() async throws {
        try await serving(server) { site in
            let fields = [("Content-Type", "application/x-www-form-urlencoded")]
            let answer = try await site.send("POST", "/merge/7", fields: fields, body: "")
            #expect(answer.status == 200)
        }
    }

    @Test("an action without output is a 204 without a body")
    func noOutput() async throws {
        try await serving(server) { site in
            for (path, body) in [("/actions/Nothing", "{}"), ("/actions/Take", #"{"text":"a"}"#)] {
                let answer = try await site.post(path, body)
                #expect(answer.status == 204)
                #expect(answer.body.isEmpty)
                #expect(answer["Content-Length"] == nil)
            }
        }
    }

    @Test("an action without input doesn't read its body")
    func noInput() async throws {
        try await serving(server) { (site) async throws in
            #expect(try await site.send("POST", "/actions/Give").text == "[1,2]")
            #expect(try await site.post("/actions/Give", "no JSON").text == "[1,2]")
            #expect(try await site.send("POST", "/actions/Nothing").status == 204)
        }
    }

    @Test("an input and an output may be any JSON value")
    func anyValue() async throws {
        try await serving(server) { (site) async throws in
            #expect(try await site.post("/actions/Both", "[1,2,39]").text == "42")
            #expect(try await site.get("/perhaps").text == "null")
        }
    }

    @Test("a created resource is a 201 with its location")
    func location() async throws {
        try await serving(server) { site in
            let answer = try await site.post("/made", #"{"text":"Mir"}"#)
            #expect(answer.status == 201)
            #expect(answer["Location"] == "/made/3")
            #expect(answer.mediaType == "application/json")
            #expect(answer.text == #"{"id":3,"text":"Mir"}"#)
            let nothing = try await site.post("/made", #"{"text":""}"#)
            #expect(nothing.status == 200)
            #expect(nothing["Location"] == nil)
        }
    }

    @Test("a body over the limit is a 413, with a length or in chunks")
    func tooLarge() async throws {
        var server = server
        server.configuration.bodyLimit = 20
        try await serving(server) { site in
            #expect(try await site.post("/merge/7", #"{"user":"012345678"}"#).status == 200)
            #expect(try await site.post("/merge/7", #"{"user":"0123456789"}"#).status == 413)
            let chunked = try await site.send(
                "POST",
                "/merge/7",
                fields: [
                    ("Transfer-Encoding", "chunked"), ("Content-Type", "application/json"),
                ],
                chunks: [#"{"user":"01"#, #"23456789"}"#]
            )
            #expect(chunked.status == 413)
        }
    }

    @Test("a list of actions may have conditions and loops")
    func builder() {
        @ActionsBuilder var more: [ExposedAction] { Make.self }
        func server(_ all: Bool) -> Server {
            Server {
                Nothing.self
                if all { Give.self }
                if all { Take.self } else { Both.self }
                for _ in 0..<2 { Perhaps.self }
                more
            }
        }
        #expect(
            server(true).actions.map(\.name)
                == ["Nothing", "Give", "Take", "Perhaps", "Perhaps", "Make"]
        )
        #expect(
            server(false).actions.map(\.name) == ["Nothing", "Both", "Perhaps", "Perhaps", "Make"]
        )
        #expect(Server().actions.isEmpty)
    }

    @Test("a synchronous implementation runs without a task, an async one in a task")
    func tasks() async throws {
        class Now: Action<Void, Bool> {}
        class Later: Action<Void, Bool> {}
        final class InTask: Later {
            override func perform(_ input: Void) async throws -> Bool { isInTask() }
        }
        Now.self <~ { isInTask() }
        Later.self <~ InTask()
        let server = Server {
            Now.self
            Later.self
        }
        try await serving(server) { (site) async throws in
            #expect(try await site.send("POST", "/actions/Now").text == "false")
            #expect(try await site.send("POST", "/actions/Later").text == "true")
            Now.self <~ { () async in isInTask() }
            #expect(try await site.send("POST", "/actions/Now").text == "true")
        }
    }

    @Test("an async implementation has the same error responses")
    func failures() async throws {
        class Late: Action<Late.Failure, Int> {
            enum Failure: String, Codable, Sendable { case problem, json, none }
        }
        Late.self <~ { failure in
            await Task.yield()
            switch failure {
            case .problem: throw Problem.conflict("not now")
            case .json: return try JSON.decode(Int.self, from: Array("oops".utf8))
            case .none: return 1
            }
        }
        class LateRatio: Action<Void, Double> {}
        LateRatio.self <~ { () async in .infinity }
        let server = Server {
            Late.self
            LateRatio.self
        }
        try await serving(server) { (site) async throws in
            #expect(try await site.post("/actions/Late", #""problem""#).status == 409)
            #expect(try await site.post("/actions/Late", #""json""#).status == 500)
            #expect(try await site.post("/actions/Late", #""none""#).text == "1")
            #expect(try await site.post("/actions/Late", #""other""#).status == 422)
            #expect(try await site.send("POST", "/actions/LateRatio").status == 500)
        }
    }
}

/// Whether the code that asks is run by a task.
private func isInTask() -> Bool { withUnsafeCurrentTask { $0 != nil } }
