import HTTPTypes
import Identity
import JSONCodec
import Plug
import PlugHTTP
import PlugboardClient
import Storage
import Testing

@testable import Plugboard

private class Rename: Action<Rename.Input, String>, POST {
    struct Input: Codable, Sendable {
        var id: Int
        var title: String
        var caller: Caller
    }
    static var path: String { "/photos/{id}/title" }
}
private class Look: Action<Look.Input, String>, GET {
    struct Input: Codable, Sendable, Constrained {
        var who: Caller?
        var limit: Int
        static var constraints: Constraints { ["limit": [.default(20)]] }
    }
    static var path: String { "/look" }
}
private class Drop: Action<Drop.Input, String>, DELETE, Scoped {
    struct Input: Codable, Sendable { var caller: Caller? }
    static var path: String { "/drop" }
    static var scopes: Scopes { ["photos:write"] }
}
private class Deep: Action<Deep.Input, Bool>, POST {
    static var path: String { "/deep" }
    struct Inner: Codable, Sendable { var caller: Caller }
    struct Input: Codable, Sendable { var inner: Inner? }
}
private class Whole: Action<Caller, Bool>, POST { static var path: String { "/whole" } }
private class InPath: Action<InPath.Input, Bool>, GET {
    struct Input: Codable, Sendable { var caller: Caller? }
    static var path: String { "/in/{caller}" }
}

@Suite("Inputs with a caller")
struct CallerMembersTests {
    private let folder: TemporaryFolder
    private let tokens: TokenStore

    init() throws {
        folder = try TemporaryFolder()
        tokens = TokenStore(Storage.of(folder["data"]))
        Rename.self <~ { input in "\(input.id) \(input.title) \(input.caller.name)" }
        Look.self <~ { input async in "\(input.who?.name ?? "nobody") \(input.limit)" }
        Drop.self <~ { input in input.caller?.name ?? "nobody" }
        Deep.self <~ { _ in true }
        Whole.self <~ { _ in true }
        InPath.self <~ { _ in true }
    }

    private func server() -> Server {
        var server = Server {
            Rename.self
            Look.self
            Drop.self
        }
        server.configuration.dataFolder = folder["data"]
        return server
    }

    private func token(_ name: String, _ scopes: Scopes = ["any"]) async throws -> String {
        try await tokens.create(name: name, scopes: scopes).text
    }

    private func bearer(_ token: String) -> (String, String) {
        ("Authorization", "Bearer \(token)")
    }

    @Test("a required caller is set by the server, and without one a request is a 401")
    func needed() async throws {
        let ada = bearer(try await token("ada"))
        try await serving(server()) { site in
            let answer = try await site.post("/photos/7/title", #"{"title":"a"}"#, [ada])
            #expect(answer.text == #""7 a ada""#)
            let nobody = try await site.post("/photos/7/title", #"{"title":"a"}"#)
            #expect(nobody.status == 401)
            #expect(nobody["WWW-Authenticate"] == #"Bearer realm="plugboard""#)
        }
    }

    @Test("a caller is never read from the request's body, form or query")
    func unread() async throws {
        let ada = bearer(try await token("ada"))
        try await serving(server()) { site in
            let null = try await site.post(
                "/photos/7/title",
                #"{"title":"a","caller":null}"#,
                [ada]
            )
            #expect(null.text == #""7 a ada""#)
            for caller in [#"{"id":"1","name":"eve","scopes":["admin"]}"#, #""eve""#, "[]"] {
                let body = #"{"title":"a","caller":\#(caller)}"#
                let answer = try await site.post("/photos/7/title", body, [ada])
                #expect(answer.status == 422)
                #expect(answer.text.contains("/caller: set by the server, not in the body"))
            }
            let form = ("Content-Type", "application/x-www-form-urlencoded")
            let posted = try await site.send(
                "POST",
                "/photos/7/title",
                fields: [ada, form],
                body: "title=a&caller=eve&caller[id]=1"
            )
            #expect(posted.status == 422)
            for query in ["who=eve", "who[name]=eve", "who=", "who=eve&who=bob"] {
                let known = try await site.get("/look?\(query)", ada)
                #expect(known.status == 422, "\(query)")
                let nobody = try await site.get("/look?\(query)")
                #expect(nobody.status == 422, "\(query)")
            }
        }
    }

    @Test("an optional caller may be missing, but invalid credentials are rejected")
    func optional() async throws {
        let ada = bearer(try await token("ada"))
        try await serving(server()) { site in
            let known = try await site.get("/look?limit=3", ada)
            #expect(known.text == #""ada 3""#)
            let nobody = try await site.get("/look", ("Authorization", "Basic YTpi"))
            #expect(nobody.text == #""nobody 20""#)
            let wrong = try await site.get("/look", bearer("x"))
            #expect(wrong.status == 401)
        }
    }

    @Test(
        "without tokens an optional caller is nil, and a required one is a start-up error"
    )
    func noTokens() async throws {
        var open = Server { Look.self }
        open.configuration.dataFolder = nil
        try await serving(open) { site in
            let answer = try await site.get("/look", ("Authorization", "Bearer x"))
            #expect(answer.text == #""nobody 20""#)
        }
        let error = #expect(throws: StartError.self) { try Server { Rename.self }.start() }
        #expect(error?.description.hasPrefix("Rename needs a known caller") == true)
    }

    @Test("an action's scopes are required, too")
    func scoped() async throws {
        let ada = bearer(try await token("ada", ["photos:write"]))
        let bob = bearer(try await token("bob"))
        try await serving(server()) { site in
            let granted = try await site.send("DELETE", "/drop", fields: [ada])
            #expect(granted.text == #""ada""#)
            let refused = try await site.send("DELETE", "/drop", fields: [bob])
            #expect(refused.status == 403)
            let missing = try await site.send("DELETE", "/drop")
            #expect(missing.status == 401)
        }
    }

    @Test("in a batch each action gets the caller")
    func batch() async throws {
        let ada = bearer(try await token("ada"))
        try await serving(server()) { site in
            let items =
                #"[{"action":"Rename","input":{"id":1,"title":"a"}},{"action":"Look"}]"#
            let known = try await site.post("/actions", items, [ada])
            #expect(known.text.contains(#""1 a ada""#))
            #expect(known.text.contains(#""ada 20""#))
            let nobody = try await site.post("/actions", items)
            #expect(nobody.text.contains(#""status":401"#))
            #expect(nobody.text.contains(#""nobody 20""#))
        }
    }

    @Test("a client sends no caller")
    func client() async throws {
        let eve = Caller(id: "1", name: "eve", scopes: ["admin"])
        let input = Rename.Input(id: 7, title: "a", caller: eve)
        #expect(try JSON(encoding: input) == ["id": 7, "title": "a"])
        #expect(try JSON(encoding: Look.Input(who: eve, limit: 1)) == ["limit": 1])
        #expect(try JSON(encoding: [eve]) == [])
        let token = try await token("ada")
        try await serving(server()) { site in
            let client = Client(site.url, token: token)
            let renamed = try await client.send(Rename.self, input)
            #expect(renamed == "7 a ada")
            let looked = try await client.send(Look.self, .init(who: eve, limit: 1))
            #expect(looked == "ada 1")
        }
    }

    @Test("a document contains no caller; the action gets it from the request")
    func document() throws {
        let text = Array(#"{"id":1,"title":"a","caller":{"id":"1"}}"#.utf8)
        #expect(throws: (any Error).self) { try JSON.decode(Rename.Input.self, from: text) }
        let ada = Caller(id: "2", name: "ada")
        let input = try Caller.$current.withValue(ada) {
            try JSON.decode(Rename.Input.self, from: text)
        }
        #expect(input.caller == ada)
    }

    @Test("the API description has no caller member, only the operation's security")
    func described() {
        @ActionsBuilder var actions: [ExposedAction] {
            Rename.self
            Look.self
            Drop.self
        }
        let api = OpenAPI.document(of: actions, hasBehaviors: false)
        #expect(!api.description.contains("aller"))
        let rename = api["paths"]?["/photos/{id}/title"]?["post"]
        #expect(rename?["security"] == [["token": []]])
        #expect(rename?["responses"]?["401"] != nil)
        #expect(rename?["responses"]?["403"] == nil)
        let look = api["paths"]?["/look"]?["get"]
        #expect(look?["security"] == [["token": []], .object([:])])
        #expect(
            look?["parameters"]?.array?.compactMap { $0["name"]?.string }.contains("who") == false
        )
        #expect(api["paths"]?["/drop"]?["delete"]?["security"] == [["token": ["photos:write"]]])
        #expect(api["components"]?["securitySchemes"]?["token"] != nil)
        #expect(!JSON.schema(of: Rename.Input.self).description.contains("caller"))
    }

    @Test("a Caller in an unsupported place is a start-up error")
    func misplaced() {
        func problem(_ server: Server) -> String? {
            var server = server
            server.configuration.dataFolder = folder["data"]
            let error = #expect(throws: StartError.self) { try server.start() }
            return error?.problems.first
        }
        let elsewhere = "has a Caller in its input that isn't a direct member"
        #expect(problem(Server { Deep.self }) == "Deep \(elsewhere)")
        #expect(problem(Server { Whole.self }) == "Whole \(elsewhere)")
        #expect(
            problem(Server { InPath.self })
                == "InPath takes caller from the request, but it is a Caller"
        )
    }
}
