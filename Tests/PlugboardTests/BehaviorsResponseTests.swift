import BehaviorStore
import Foundation
import Plug
import PlugHTTP
import Plugboard
import TestLog
import Testing

private struct Name: Codable, Sendable { var name: String }
private class GetByName: Action<Name, Name>, GET { static var path: String { "/{name}" } }
private class PostByName: Action<Name, Name>, POST { static var path: String { "/{name}" } }

@Suite("The behavior document")
struct BehaviorsAnswerTests {
    private let folder: TemporaryFolder
    private let journal = Journal()
    private let first = #"[{"name":"A","actions":[{"func":"a"}]}]"#
    private let second = #"[{"name":"Bee","actions":[{"func":"b","value":1}]}]"#

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("behaviors.json", first)
    }

    private var server: Server {
        Server(behaviors: .file(folder["behaviors.json"]), logger: journal.logger)
    }

    @Test("it is served with its exact bytes and with fields for caches")
    func fields() async throws {
        let odd = try folder.write("odd.json", "[ {\"name\" :\"é\",\n\t\"actions\":[ ]} ]\n")
        try await serving(Server(behaviors: .file(odd))) { site in
            let answer = try await site.get("/behaviors.json")
            #expect(answer.status == 200)
            #expect(answer.text == "[ {\"name\" :\"é\",\n\t\"actions\":[ ]} ]\n")
            #expect(answer.mediaType == "application/json")
            #expect(answer["ETag"]?.wholeMatch(of: /"[^"]+"/) != nil)
            #expect(answer["Last-Modified"]?.hasSuffix(" GMT") == true)
            #expect(answer["Cache-Control"] == "no-cache")
            #expect(try await site.get("/behaviors.json?v=2").text == answer.text)
        }
    }

    @Test("HEAD has the same fields and no body")
    func head() async throws {
        try await serving(server) { site in
            let full = try await site.get("/behaviors.json")
            let answer = try await site.send("HEAD", "/behaviors.json")
            #expect(answer.status == 200)
            #expect(answer.body.isEmpty)
            for name in ["Content-Length", "Content-Type", "ETag", "Last-Modified"] {
                #expect(answer[name] == full[name])
            }
        }
    }

    @Test("an action with a matching path doesn't replace it, for GET and for HEAD")
    func action() async throws {
        GetByName.self <~ { $0 }
        PostByName.self <~ { $0 }
        let server = Server(behaviors: .file(folder["behaviors.json"])) {
            GetByName.self
            PostByName.self
        }
        try await serving(server) { site in
            let full = try await site.get("/behaviors.json")
            #expect(full.text == first)
            let head = try await site.send("HEAD", "/behaviors.json")
            #expect(head["ETag"] == full["ETag"] && full["ETag"] != nil)
            #expect(head["Content-Length"] == "\(first.utf8.count)")
            #expect(try await site.get("/other.json").text == #"{"name":"other.json"}"#)
        }
    }

    @Test("it is read-only")
    func methods() async throws {
        try await serving(server) { site in
            let answer = try await site.post("/behaviors.json", "[]")
            #expect(answer.status == 405)
            #expect(answer["Allow"] == "GET, HEAD, OPTIONS")
            #expect(try await site.send("OPTIONS", "/behaviors.json").status == 204)
        }
    }

    @Test("equal contents have the same tag on all servers")
    func sameTag() async throws {
        let copy = try folder.write("copy/behaviors.json", first)
        try await serving(server) { site in
            try await serving(Server(behaviors: .file(copy))) { other in
                let etag = try await site.get("/behaviors.json")["ETag"]
                #expect(try await other.get("/behaviors.json")["ETag"] == etag)
                #expect(etag?.hasPrefix("\"") == true)
            }
        }
    }

    @Test("a client with the current document gets 304")
    func notModified() async throws {
        try await serving(server) { site in
            let answer = try await site.get("/behaviors.json")
            let etag = try #require(answer["ETag"])
            let date = try #require(answer["Last-Modified"])
            for fields in [
                ("If-None-Match", etag), ("If-None-Match", "W/" + etag), ("If-None-Match", "*"),
                ("If-None-Match", "\"x\", " + etag), ("If-Modified-Since", date),
            ] {
                let short = try await site.get("/behaviors.json", fields)
                #expect(short.status == 304, "\(fields)")
                #expect(short.body.isEmpty && short["Content-Length"] == nil)
                #expect(short["ETag"] == etag && short["Cache-Control"] == "no-cache")
                let head = try await site.send("HEAD", "/behaviors.json", fields: [fields])
                #expect(head.status == 304, "\(fields)")
            }
            for fields in [
                ("If-None-Match", "\"x\""), ("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT"),
            ] {
                #expect(try await site.get("/behaviors.json", fields).text == first)
            }
            let other = try await site.get("/behaviors.json", ("If-Match", "\"x\""))
            #expect(other.status == 412)
        }
    }

    @Test("an edit goes live with a new tag")
    func edit() async throws {
        try await serving(server) { site in
            let before = try await site.get("/behaviors.json")
            try folder.write("behaviors.json", second)
            #expect(site.running.parts.behaviors?.refresh() == true)
            let etag = try #require(before["ETag"])
            let after = try await site.get("/behaviors.json", ("If-None-Match", etag))
            #expect(after.status == 200)
            #expect(after.text == second)
            try folder.write("behaviors.json", first)
            #expect(site.running.parts.behaviors?.refresh() == true)
            #expect(try await site.get("/behaviors.json", ("If-None-Match", etag)).status == 304)
        }
    }

    @Test("an invalid edit is logged with its position, and the last valid document stays live")
    func invalidEdit() async throws {
        try await serving(server) { site in
            try folder.write("behaviors.json", "[\n  {\"name\": oops}\n]")
            #expect(site.running.parts.behaviors?.refresh() == false)
            #expect(try await site.get("/behaviors.json").text == first)
            try folder.write("behaviors.json", second)
            #expect(site.running.parts.behaviors?.refresh() == true)
            #expect(try await site.get("/behaviors.json").text == second)
        }
        let line = try #require(journal.lines.first { $0.hasPrefix("error") })
        #expect(line.contains("line 2, column 12: /0/name: expected a value"))
        #expect(line.contains(folder["behaviors.json"]))
    }

    @Test("a running server detects an edit")
    func watch() async throws {
        var server = server
        server.configuration.port = 0
        server.configuration.handlesSignals = false
        let (ports, continuation) = AsyncStream.makeStream(of: String.self)
        server.onStart = { continuation.yield($0.urls[0]) }
        let running = server
        let task = Task { try await running.run() }
        let address = try await soon("the start") {
            for await address in ports { return address }
            throw CancellationError()
        }
        let port = try #require(UInt16(address.split(separator: ":").last ?? ""))
        // The file is replaced, as most editors do.
        try folder.write("new.json", second)
        #expect(rename(folder["new.json"], folder["behaviors.json"]) == 0)
        _ = try await journal.line(with: "is live as")
        let request = "GET /behaviors.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        #expect(try Answer(await exchange(request, port: port)).text == second)
        task.cancel()
        _ = await task.result
    }

    @Test("a deleted file leaves the last valid document live, until a new one is written")
    func deleted() async throws {
        try await serving(server) { site in
            try FileManager.default.removeItem(atPath: folder["behaviors.json"])
            #expect(site.running.parts.behaviors?.refresh() == false)
            #expect(try await site.get("/behaviors.json").text == first)
            try folder.write("behaviors.json", second)
            #expect(site.running.parts.behaviors?.refresh() == true)
            #expect(try await site.get("/behaviors.json").text == second)
        }
    }

    @Test("a server without behaviors returns 404")
    func none() async throws {
        try await serving(Server()) { (site) async throws in
            #expect(try await site.get("/behaviors.json").status == 404)
        }
    }
}
