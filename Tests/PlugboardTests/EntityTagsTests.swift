import Identity
import Locking
import Plug
import PlugHTTP
import Storage
import Testing

@testable import Plugboard

private struct Page: Codable, Sendable {
    var id: Int
    var text: String
}
private let pages = Locked<[Int: String]>([:])

private class GetPage: Action<GetPage.Input, Page>, GET, HasEntityTag {
    struct Input: Codable, Sendable { var id: Int }
    static var path: String { "/pages/{id}" }
}
private class PutPage: Action<Page, Page>, PUT { static var path: String { "/pages/{id}" } }
private class DeletePage: Action<GetPage.Input, Void>, DELETE {
    static var path: String { "/pages/{id}" }
}
private class Untagged: Action<Void, String>, GET { static var path: String { "/untagged" } }
private class SetUntagged: Action<Void, String>, POST { static var path: String { "/untagged" } }
private class CountUntagged: Action<[Int], Int>, POST {
    static var path: String { "/untagged/count" }
}
private class GetNumber: Action<GetNumber.Input, Int>, GET {
    struct Input: Codable, Sendable { var number: Int }
    static var path: String { "/numbers/{number}" }
}
private class GetLong: Action<Void, String>, GET { static var path: String { "/long" } }
private class GetEvents: Action<Void, EventStream>, GET { static var path: String { "/events" } }
private class GetNothing: Action<Void, Void>, GET { static var path: String { "/nothing" } }
private class Late: Action<Void, String>, GET, HasEntityTag { static var path: String { "/late" } }

@Suite("Entity tags of actions' responses (RFC 9110 §8.8.3, §13.1)")
struct EntityTagsTests {
    init() {
        GetPage.self <~ { input in
            guard let text = pages.withLock({ $0[input.id] }) else { throw Problem.notFound() }
            return Page(id: input.id, text: text)
        }
        PutPage.self <~ { page in
            pages.withLock { $0[page.id] = page.text }
            return page
        }
        DeletePage.self <~ { input in pages.withLock { $0[input.id] = nil } }
        Untagged.self <~ { "untagged" }
        SetUntagged.self <~ { "set" }
        CountUntagged.self <~ { $0.count }
        Late.self <~ { () async in
            await Task.yield()
            return "late"
        }
        GetNumber.self <~ { input in
            guard input.number > 0 else { throw Problem.notFound() }
            return input.number
        }
        GetLong.self <~ { String(repeating: "long ", count: 1000) }
        GetEvents.self <~ {
            let isFirst = Locked(true)
            return EventStream {
                isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst ? ServerSentEvent(data: "7") : nil
                }
            }
        }
        GetNothing.self <~ {}
    }

    private var server: Server {
        Server {
            GetPage.self
            PutPage.self
            DeletePage.self
            Untagged.self
            SetUntagged.self
            CountUntagged.self
            Late.self
            GetNumber.self
            GetLong.self
            GetEvents.self
            GetNothing.self
        }
    }

    private func put(
        _ site: Site,
        _ id: Int,
        _ text: String,
        _ fields: (String, String)...
    ) async throws -> Answer {
        let type = ("Content-Type", "application/json")
        let body = #"{"text":"\#(text)"}"#
        return try await site.send("PUT", "/pages/\(id)", fields: fields + [type], body: body)
    }

    @Test("a response has a strong tag, and a client with that tag gets a 304 without a body")
    func reading() async throws {
        pages.withLock { $0[1] = "one" }
        try await serving(server) { site in
            let first = try await site.get("/pages/1")
            let tag = try #require(first["ETag"])
            #expect(tag.hasPrefix("\"") && tag.utf8.count == 34)
            for list in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
                let same = try await site.get("/pages/1", ("If-None-Match", list))
                #expect(same.status == 304)
                #expect(same["ETag"] == tag)
                #expect(same["Content-Type"] == nil)
                #expect(same.body.isEmpty)
            }
            let other = try await site.get("/pages/1", ("If-None-Match", "\"x\""))
            #expect(other.status == 200)
            let head = try await site.send("HEAD", "/pages/1", fields: [("If-None-Match", tag)])
            #expect(head.status == 304)
            pages.withLock { $0[1] = "uno" }
            let changed = try await site.get("/pages/1", ("If-None-Match", tag))
            #expect(changed.status == 200)
            #expect(changed["ETag"] != tag)
            let missing = try await site.get("/pages/9999", ("If-None-Match", "*"))
            #expect(missing.status == 404)
            #expect(missing["ETag"] == nil)
        }
    }

    @Test("an async response has a tag; an action that declares none has one if all are tagged")
    func others() async throws {
        var few = server
        few.configuration.entityTags = false
        try await serving(few) { site in
            let late = try await site.get("/late")
            let tag = try #require(late["ETag"])
            let same = try await site.get("/late", ("If-None-Match", tag))
            #expect(same.status == 304)
            let untagged = try await site.get("/untagged")
            #expect(untagged.status == 200)
            #expect(untagged["ETag"] == nil)
        }
        try await serving(server) { site in
            let untagged = try await site.get("/untagged")
            #expect(untagged["ETag"] != nil)
        }
    }

    @Test(
        "without a tag any If-Match list is 412, and If-None-Match: * is 304 (§13.1.1, §13.1.2)",
        arguments: ["GET", "HEAD"]
    )
    func untagged(_ method: String) async throws {
        // A page of a server that tags nothing else; a stream has no tag even where all is tagged.
        var few = server
        few.configuration.entityTags = false
        let cases = [
            (few, "/untagged"), (few, "/long"), (server, "/events"), (few, "/events"),
            (server, "/nothing"), (server, "/healthz"), (few, "/readyz"),
        ]
        for (server, path) in cases {
            try await serving(server) { site in
                func ask(_ fields: (String, String)...) async throws -> Answer {
                    try await site.send(method, path, fields: fields)
                }
                let whole = try await ask()
                for list in ["\"x\"", "W/\"x\"", "\"x\", \"y\"", "", "**"] {
                    let unmet = try await ask(("If-Match", list))
                    #expect(unmet.status == 412, "\(path) If-Match: \(list)")
                    let other = try await ask(("If-None-Match", list))
                    #expect(other.status == whole.status, "\(path) If-None-Match: \(list)")
                }
                let met = try await ask(("If-Match", "*"))
                #expect(met.status == whole.status, "\(path)")
                let known = try await ask(("If-None-Match", "*"), ("Accept-Encoding", "gzip"))
                #expect(known.status == 304, "\(path)")
                #expect(known.body.isEmpty && known["ETag"] == nil)
                // RFC 9110 §15.4.5: with the fields of the 200 that caches go by.
                for name in ["Cache-Control", "Vary"] { #expect(known[name] == whole[name]) }
                for name in ["Content-Type", "Content-Encoding"] { #expect(known[name] == nil) }
                // If-Match comes first (§13.2.2).
                let both = try await ask(("If-Match", "\"x\""), ("If-None-Match", "*"))
                #expect(both.status == 412)
            }
        }
    }

    @Test("conditions don't change an error response to GET (RFC 9110 §13.2.1)")
    func refusedAnyway() async throws {
        var few = server
        few.configuration.entityTags = false
        try await serving(few) { site in
            for (target, status) in [("/numbers/0", 404), ("/numbers/x", 400), ("/nowhere", 404)] {
                for condition in [("If-Match", "\"x\""), ("If-None-Match", "*")] {
                    let answer = try await site.get(target, condition)
                    #expect(answer.status == status, "\(target) \(condition)")
                }
            }
        }
    }

    @Test("each coding has its own tag, and conditions apply to the selected one (§8.8.3.3)")
    func coded() async throws {
        pages.withLock { $0[2] = String(repeating: "two ", count: 1000) }
        try await serving(server) { site in
            let gzip = ("Accept-Encoding", "gzip")
            let plain = try await site.get("/pages/2")
            let coded = try await site.get("/pages/2", gzip)
            #expect(coded["Content-Encoding"] == "gzip")
            let tag = try #require(plain["ETag"])
            let codedTag = try #require(coded["ETag"])
            #expect(codedTag == tag.dropLast() + "-gzip\"")
            let any = ("If-None-Match", "*")
            #expect(try await site.get("/pages/2", gzip, any)["ETag"] == codedTag)
            #expect(try await site.get("/pages/2", any)["ETag"] == tag)
            // A cache that has the coded bytes alone can't give them to who doesn't take them.
            for fields in [[], [("Accept-Encoding", "identity")]] {
                let list = ("If-None-Match", codedTag)
                let other = try await site.send("GET", "/pages/2", fields: fields + [list])
                #expect(other.status == 200 && other["ETag"] == tag)
                #expect(other.body == plain.body)
            }
            // If-Match is about what would be sent (RFC 9110 §13.1.1).
            #expect(try await site.get("/pages/2", ("If-Match", codedTag)).status == 412)
            #expect(try await site.get("/pages/2", ("If-Match", tag)).status == 200)
            #expect(try await site.get("/pages/2", gzip, ("If-Match", tag)).status == 412)
            let met = try await site.get("/pages/2", gzip, ("If-Match", codedTag))
            #expect(met.status == 200 && met["ETag"] == codedTag)
            let both = [gzip, ("If-Match", codedTag), ("If-None-Match", codedTag)]
            #expect(try await site.send("GET", "/pages/2", fields: both).status == 304)
            for list in [codedTag, "W/\(codedTag)", "\"x\", \(tag), \(codedTag)"] {
                for method in ["GET", "HEAD"] {
                    let fields = [gzip, ("If-None-Match", list)]
                    let same = try await site.send(method, "/pages/2", fields: fields)
                    #expect(same.status == 304)
                    #expect(same["Vary"] == "Accept-Encoding")
                    // RFC 9110 §15.4.5: the tag of what the client would get.
                    #expect(same["ETag"] == codedTag)
                }
            }
            // Nor can one that has the uncoded bytes give them to who takes coded ones alone, whatever
            // condition comes first (§13.2.2).
            let alone = ("Accept-Encoding", "gzip, identity;q=0")
            for fields in [[gzip], [alone], [gzip, ("If-Match", "*")]] {
                let list = ("If-None-Match", tag)
                let other = try await site.send("GET", "/pages/2", fields: fields + [list])
                #expect(other.status == 200 && other["ETag"] == codedTag)
            }
            let weak = try await site.get("/pages/2", gzip, ("If-Match", "W/\(codedTag)"))
            #expect(weak.status == 412)
            // What is too small to be coded has one tag for all.
            pages.withLock { $0[5] = "five" }
            let small = try #require(try await site.get("/pages/5", gzip)["ETag"])
            #expect(try await site.get("/pages/5", gzip, ("If-None-Match", small)).status == 304)
            for tag in [tag, codedTag] {
                let changed = try await put(site, 2, "changed", ("If-Match", tag))
                #expect(changed.status == 200)
                pages.withLock { $0[2] = String(repeating: "two ", count: 1000) }
            }
        }
    }

    @Test("a change with an unmet condition is a 412 without effect")
    func changing() async throws {
        pages.withLock { $0[3] = "three" }
        try await serving(server) { site in
            let tag = try #require(try await site.get("/pages/3")["ETag"])
            let stale = try await put(site, 3, "stale", ("If-Match", "\"x\""))
            #expect(stale.status == 412)
            #expect(stale.mediaType == "application/problem+json")
            let weak = try await put(site, 3, "weak", ("If-Match", "W/\(tag)"))
            #expect(weak.status == 412)
            #expect(pages.withLock { $0[3] } == "three")
            let fresh = try await put(site, 3, "drei", ("If-Match", tag))
            #expect(fresh.status == 200)
            let again = try await put(site, 3, "trois", ("If-Match", tag))
            #expect(again.status == 412)
            let stays = try await site.send("DELETE", "/pages/3", fields: [("If-Match", tag)])
            #expect(stays.status == 412)
            let gone = try await site.send("DELETE", "/pages/3", fields: [("If-Match", "*")])
            #expect(gone.status == 204)
            let nothing = try await put(site, 3, "tre", ("If-Match", "*"))
            #expect(nothing.status == 412)
            // Without a resource conditions are ignored (§13.2.1), unless the request creates it.
            for list in ["*", tag] {
                let missing = try await site.send(
                    "DELETE",
                    "/pages/3",
                    fields: [("If-Match", list)]
                )
                #expect(missing.status == 404)
            }
            let made = try await put(site, 3, "tre", ("If-None-Match", "*"))
            #expect(made.status == 200)
            let twice = try await put(site, 3, "tres", ("If-None-Match", "*"))
            #expect(twice.status == 412)
            let plain = try await put(site, 3, "tri")
            #expect(plain.status == 200)
        }
    }

    @Test("a change that requires a tag is a 412 if the resource has none (RFC 9110 §13.1.1)")
    func untagged() async throws {
        try await serving(server) { site in
            for list in ["\"x\"", "W/\"x\"", "\"*\"", "x", "", "\"x\", \"y\""] {
                let fields = [("If-Match", list)]
                let refused = try await site.send("POST", "/untagged", fields: fields)
                #expect(refused.status == 412, "\(list)")
            }
            // Whatever it is, it is there; and it is none of these.
            for field in [("If-Match", "*"), ("If-None-Match", "\"x\"")] {
                let made = try await site.send("POST", "/untagged", fields: [field])
                #expect(made.status == 200)
            }
            let plain = try await site.send("POST", "/untagged")
            #expect(plain.status == 200)
        }
    }

    @Test("conditions don't change an error response to a change (RFC 9110 §13.2.1)")
    func refused() async throws {
        try await serving(server) { site in
            for (path, type, body, status) in [
                ("/untagged/count", "application/json", "[1]", 412),
                ("/untagged/count", "application/json", "[", 400),
                ("/untagged/count", "application/json", "{}", 422),
                ("/untagged/count", "text/x", "[1]", 415),
                ("/pages/9", "application/json", "[", 400),
                ("/pages/9", "text/x", "[1]", 415),
            ] {
                let fields = [("Content-Type", type), ("If-Match", "\"x\"")]
                let method = path == "/pages/9" ? "PUT" : "POST"
                let answer = try await site.send(method, path, fields: fields, body: body)
                #expect(answer.status == status, "\(path) \(type) \(body)")
            }
        }
    }

    @Test("of many concurrent changes with the same tag one succeeds")
    func race() async throws {
        pages.withLock { $0[4] = "four" }
        try await serving(server) { site in
            let tag = try #require(try await site.get("/pages/4")["ETag"])
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        try await put(site, 4, "four \(number)", ("If-Match", tag)).status
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 200 }.count == 1)
            #expect(statuses.filter { $0 == 412 }.count == 19)
        }
    }

    @Test(
        "an application's change uses the tags of the server's own GET of its path (§13.1.1)"
    )
    func ownTags() async throws {
        class PutToken: Action<PutToken.Input, Int>, PUT {
            struct Input: Codable, Sendable { var id: String }
            static var path: String { "/tokens/{id}" }
        }
        let calls = Locked(0)
        PutToken.self <~ { _ in
            calls.withLock { count in
                count += 1
                return count
            }
        }
        let folder = try TemporaryFolder()
        var server = Server { PutToken.self }
        server.configuration.dataFolder = folder["data"]
        let tokens = TokenStore(Storage.of(folder["data"]))
        let own = try await tokens.create(name: "ada", scopes: .admin)
        // The own token's last use, and with it the tag, changes with each request.
        let unused = try await tokens.create(name: "bob", scopes: .admin)
        try await serving(server) { site in
            let path = "/tokens/\(unused.record.id)"
            let bearer = ("Authorization", "Bearer \(own.text)")
            let tag = try #require(try await site.get(path, bearer)["ETag"])
            for condition in [("If-Match", "\"x\""), ("If-None-Match", "*")] {
                let refused = try await site.send("PUT", path, fields: [bearer, condition])
                #expect(refused.status == 412)
            }
            #expect(calls.withLock { $0 } == 0)
            let done = try await site.send("PUT", path, fields: [bearer, ("If-Match", tag)])
            #expect(done.status == 200)
            #expect(calls.withLock { $0 } == 1)
        }
    }
}
