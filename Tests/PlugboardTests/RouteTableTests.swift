import Plug
import PlugHTTP
import Plugboard
import Testing

private struct Thing: Codable, Sendable { var id: Int; var user: String?; var note: String? }
private struct Named: Codable, Sendable { var name: String }

private class GetThing: Action<Thing, Thing>, GET {
    static var path: String { "/things/{id}" }
}
private class NewestThing: Action<Void, String>, GET {
    static var path: String { "/things/newest" }
}
private class PutThing: Action<Thing, Thing>, PUT {
    static var path: String { "/things/{id}" }
}
private class PatchThing: Action<Thing, Thing>, PATCH {
    static var path: String { "/things/{id}" }
}
private class DeleteThing: Action<Thing, Thing>, DELETE {
    static var path: String { "/things/{id}" }
}
private class NoteThing: Action<Thing, Thing>, POST {
    static var path: String { "/things/{id}/note" }
}
private class Greet: Action<Named, Named>, GET {
    static var path: String { "/größe/{name}" }
}
private class Root: Action<Void, String>, GET {
    static var path: String { "/" }
}
private class Sole: Action<Void, String> {}
private class Kind: Action<Kind.Input, String>, GET {
    struct Input: Codable, Sendable { var kind: String }
    static var path: String { "/{kind}/7" }
}

@Suite("Routes")
struct RouteTableTests {
    init() {
        GetThing.self <~ { $0 }
        NewestThing.self <~ { "newest" }
        PutThing.self <~ { $0 }
        PatchThing.self <~ { $0 }
        DeleteThing.self <~ { $0 }
        NoteThing.self <~ { $0 }
        Greet.self <~ { $0 }
        Root.self <~ { "root" }
        Sole.self <~ { "sole" }
    }

    private let server = Server {
        GetThing.self
        NewestThing.self
        PutThing.self
        PatchThing.self
        DeleteThing.self
        NoteThing.self
        Greet.self
        Root.self
        Sole.self
    }

    @Test(
        "each method of a path is a separate action",
        arguments: ["GET", "PUT", "PATCH", "DELETE"]
    )
    func methods(_ method: String) async throws {
        try await serving(server) { site in
            let answer = try await site.send(method, "/things/7")
            #expect(answer.status == 200)
            #expect(answer.text == #"{"id":7}"#)
            #expect(answer.mediaType == "application/json")
        }
    }

    @Test("a literal takes precedence over a variable")
    func literalFirst() async throws {
        try await serving(server) { (site) async throws in
            #expect(try await site.get("/things/newest").text == #""newest""#)
            #expect(try await site.get("/things/8").text == #"{"id":8}"#)
        }
    }

    @Test("a method missing at the literal path is found at the path with a variable")
    func methodBehindLiteral() async throws {
        try await serving(server) { site in
            let answer = try await site.send("PUT", "/things/newest")
            #expect(answer.status == 400)
            #expect(answer.text.contains("/id: expected an integer"))
        }
    }

    @Test(
        "a path that doesn't match the template is not found",
        arguments: [
            "/things", "/things/", "/things//", "/things/7/", "/things/7/note/x", "//things/7",
            "/Things/7", "/things/7/notes", "/größe/x/y".encoded, "/actions/", "/actions/sole",
        ]
    )
    func notFound(_ path: String) async throws {
        try await serving(server) { site in
            let answer = try await site.get(path)
            #expect(answer.status == 404)
            #expect(answer.mediaType == "application/problem+json")
        }
    }

    @Test("a first segment may be percent-encoded, or a variable")
    func firstSegment() async throws {
        Kind.self <~ { $0.kind }
        let server = Server {
            GetThing.self
            Kind.self
            Greet.self
        }
        try await serving(server) { site in
            for path in ["/things/7", "/%74hings/7", "/thing%73/7"] {
                let answer = try await site.get(path)
                #expect(answer.text == #"{"id":7}"#)
            }
            for (path, kind) in [
                ("/thinks/7", "thinks"), ("/t/7", "t"), ("/%2Fthings/7", "/things"),
            ] {
                let answer = try await site.get(path)
                #expect(answer.text == "\"\(kind)\"")
            }
            for path in ["//7", "/thinks/8", "/%/8"] {
                let answer = try await site.get(path)
                #expect(answer.status == 404 || answer.status == 400)
            }
        }
    }

    @Test("an action can be at the root")
    func root() async throws {
        try await serving(server) { (site) async throws in
            #expect(try await site.get("/").text == #""root""#)
        }
    }

    @Test("any character of a literal may be percent-encoded")
    func encodedLiteral() async throws {
        try await serving(server) { (site) async throws in
            #expect(try await site.get("/gr%C3%B6%C3%9Fe/x").text == #"{"name":"x"}"#)
            #expect(try await site.get("/%74hings/7").text == #"{"id":7}"#)
        }
    }

    @Test(
        "a variable's value is decoded after the path is split",
        arguments: [
            ("a%2Fb", #"{"name":"a/b"}"#), ("%C3%A9", #"{"name":"é"}"#),
            ("a+b", #"{"name":"a+b"}"#), ("%2e%2e", #"{"name":".."}"#),
            ("%252F", #"{"name":"%2F"}"#), ("a%20b", #"{"name":"a b"}"#),
        ]
    )
    func encodedValue(_ segment: String, _ output: String) async throws {
        try await serving(server) { site in
            let answer = try await site.get("/gr%C3%B6%C3%9Fe/\(segment)")
            #expect(answer.status == 200)
            #expect(answer.text.replacing("\\/", with: "/") == output)
        }
    }

    @Test("a value that isn't UTF-8 is a 400 that names it")
    func malformedValue() async throws {
        try await serving(server) { site in
            let answer = try await site.get("/gr%C3%B6%C3%9Fe/%FF")
            #expect(answer.status == 400)
            #expect(answer.text.contains("name in the path is not percent-encoded UTF-8"))
        }
    }

    @Test("GET's action handles HEAD, without the body")
    func head() async throws {
        try await serving(server) { site in
            let full = try await site.get("/things/7")
            let answer = try await site.send("HEAD", "/things/7")
            #expect(answer.status == 200)
            #expect(answer.body.isEmpty)
            #expect(answer["Content-Length"] == "\(full.body.count)")
            #expect(answer.mediaType == full.mediaType)
        }
    }

    @Test("a method missing at a path is a 405 that lists the others")
    func otherMethod() async throws {
        try await serving(server) { site in
            let answer = try await site.post("/things/7", "{}")
            #expect(answer.status == 405)
            #expect(answer["Allow"] == "GET, HEAD, PUT, PATCH, DELETE, OPTIONS")
            #expect(answer.mediaType == "application/problem+json")
            let methods = "use one of GET, HEAD, PUT, PATCH, DELETE, OPTIONS"
            #expect(answer.text.contains(methods))
            #expect(try await site.get("/things/7/note")["Allow"] == "POST, OPTIONS")
            let post = try await site.post("/things/newest", "{}")
            #expect(post["Allow"] == "GET, HEAD, PUT, PATCH, DELETE, OPTIONS")
        }
    }

    @Test("OPTIONS lists the methods of a path, or of the whole server")
    func options() async throws {
        try await serving(server) { site in
            let answer = try await site.send("OPTIONS", "/things/7")
            #expect(answer.status == 204)
            #expect(answer["Allow"] == "GET, HEAD, PUT, PATCH, DELETE, OPTIONS")
            let all = try await site.send("OPTIONS", "*")
            #expect(all.status == 204)
            #expect(all["Allow"] == "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
        }
    }

    @Test("a registered method is a 405 (RFC 9110 §15.5.6)", arguments: ["TRACE", "PROPFIND"])
    func registeredMethod(_ method: String) async throws {
        try await serving(server) { site in
            let answer = try await site.send(method, "/things/7")
            #expect(answer.status == 405)
            #expect(answer["Allow"] == "GET, HEAD, PUT, PATCH, DELETE, OPTIONS")
            #expect(try await site.send(method, "/nowhere/7").status == 404)
        }
    }

    @Test("an unknown method is a 501", arguments: ["BREW", "get"])
    func unknownMethod(_ method: String) async throws {
        try await serving(server) { (site) async throws in
            #expect(try await site.send(method, "/things/7").status == 501)
        }
    }

    @Test("an action without a path is a POST at its name")
    func withoutPath() async throws {
        try await serving(server) { site in
            let answer = try await site.send("POST", "/actions/Sole")
            #expect(answer.status == 200)
            #expect(answer.text == #""sole""#)
            #expect(try await site.get("/actions/Sole")["Allow"] == "POST, OPTIONS")
        }
    }

    @Test("a path can have several methods, and all are listed")
    func listedMethods() async throws {
        let server = Server {
            GetThing.self
            PutThing.self
        }
        try await serving(server) { site in
            #expect(try await site.get("/things/7").text == #"{"id":7}"#)
            #expect(try await site.send("PUT", "/things/8").text == #"{"id":8}"#)
            let answer = try await site.send("DELETE", "/things/8")
            #expect(answer["Allow"] == "GET, HEAD, PUT, OPTIONS")
            // The batch is a POST.
            let all = try await site.send("OPTIONS", "*")
            #expect(all["Allow"] == "GET, HEAD, POST, PUT, OPTIONS")
        }
    }

    @Test("an application's action replaces the documentation at its route")
    func documentationPlace() async throws {
        class Mine: Action<Void, String>, GET { static var path: String { "/docs" } }
        Mine.self <~ { "mine" }
        try await serving(Server { Mine.self }) { (site) async throws in
            #expect(try await site.get("/docs").text == "\"mine\"")
        }
    }

    @Test("an application's action replaces the server's own at its route")
    func ownPlace() async throws {
        struct Token: Codable, Sendable { var id: String }
        class Mine: Action<Token, String>, GET { static var path: String { "/tokens/{id}" } }
        Mine.self <~ { "mine: \($0.id)" }
        let folder = try TemporaryFolder()
        var server = Server { Mine.self }
        server.configuration.dataFolder = folder["data"]
        try await serving(server) { site in
            #expect(try await site.get("/tokens/ada").text == "\"mine: ada\"")
            // What it has nothing in the place of is still there.
            #expect(try await site.send("DELETE", "/tokens/ada").status == 401)
            #expect(try await site.get("/tokens").status == 401)
            let api = try await site.get("/openapi.json").text
            #expect(api.contains("\"operationId\":\"Mine\""))
            #expect(!api.contains("GetToken"))
        }
    }
}

extension String {
    /// The text with all but ASCII percent-encoded.
    fileprivate var encoded: String {
        utf8.map { $0 < 0x80 ? String(UnicodeScalar($0)) : "%" + String($0, radix: 16) }.joined()
    }
}
