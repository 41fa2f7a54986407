import JSONCodec
import Plug
import PlugHTTP
import Testing

@testable import Plugboard

private class WhoAmI: Action<Void, String>, GET, Scoped, SafeAction {
    static var path: String { "/who" }
    static var scopes: Scopes { ["photos:read"] }
}
private class Greet: Action<Greet.Input, String>, GET {
    struct Input: Codable, Sendable { var caller: Caller? }
    static var path: String { "/greet" }
}
private class Open: Action<Void, Bool>, GET { static var path: String { "/open" } }
private class Profile: Action<Profile.Input, String>, GET, SafeAction {
    struct Input: Codable, Sendable { var caller: Caller? }
    static var path: String { "/profile" }
}
private class EditProfile: Action<Profile.Input, String>, PATCH {
    static var path: String { "/profile" }
}

/// Plugs the actions once, since a new plug has an empty cache.
private let plugged: Void = {
    WhoAmI.named("caller") <~ { Caller.current?.id ?? "-" }
    WhoAmI.self <~ .cache("caller", seconds: 600)
    Greet.self <~ { $0.caller?.name ?? "nobody" }
    Open.self <~ { true }
    Profile.named("caller") <~ { $0.caller?.name ?? "nobody" }
    Profile.self <~ .cache("caller", seconds: 600)
    EditProfile.self <~ { _ in "edited" }
}()

@Suite("Caches and callers that authenticators identify")
struct AuthenticatorCachesTests {
    init() { plugged }

    private func server() -> Server {
        var server = Server(authenticators: [.apiKeys, Sessions().cookies]) {
            WhoAmI.self
            Greet.self
            Open.self
            Profile.self
            EditProfile.self
        }
        server.impliedScopes = ["editor": ["photos:read"]]
        return server
    }

    @Test("a plug's cache is separate for each caller, also in a batch and for a condition")
    func cachedPlug() async throws {
        try await serving(server()) { site in
            for (field, id) in [
                (cookie("s1"), "u1"), (cookie("s3"), "u3"), (apiKey("k1"), "key-1"),
            ] {
                let answer = try await site.post("/actions", #"[{"action":"WhoAmI"}]"#, [field])
                let items = try JSON.decode([Batch.Answer].self, from: answer.body)
                #expect(items.map(\.body) == [.string(id)])
                let alone = try await site.get("/who", field)
                #expect(alone.text == "\"\(id)\"")
            }
            // The condition reads the profile for ada.
            let edited = try await site.send(
                "PATCH",
                "/profile",
                fields: [cookie("s1"), ("If-Match", "*"), ("Content-Type", "application/json")],
                body: "{}"
            )
            #expect(edited.status == 200)
            let nobody = try await site.get("/profile")
            #expect(nobody.text == #""nobody""#)
            let bob = try await site.get("/profile", cookie("s2"))
            #expect(bob.text == #""bob""#)
        }
    }

    @Test("responses to callers name the fields of their credentials in Vary (RFC 9110 §12.5.5)")
    func varying() async throws {
        func varying(_ answer: Answer) -> [String] {
            answer.fields.filter { $0.name == "Vary" }.map(\.value)
        }
        try await serving(server()) { site in
            let known = try await site.get("/who", cookie("s1"))
            #expect(varying(known) == ["X-API-Key, Cookie"])
            let unchanged = try await site.get(
                "/who",
                cookie("s1"),
                ("If-None-Match", known["ETag"] ?? "")
            )
            #expect(unchanged.status == 304)
            #expect(varying(unchanged) == ["X-API-Key, Cookie"])
            let optional = try await site.get("/greet")
            #expect(varying(optional) == ["Authorization, X-API-Key, Cookie"])
            let open = try await site.get("/open")
            #expect(varying(open) == [])
        }
    }
}
