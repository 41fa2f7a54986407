import BehaviorStore
import Plugboard
import Testing

@Suite("The behavior document, gzip-coded")
struct BehaviorsCodingTests {
    private let folder: TemporaryFolder
    private let document = document("a")
    private let gzip = ("Accept-Encoding", "gzip, deflate, br")

    private static func document(_ name: String) -> String {
        let module = "{\"name\":\"Module\(name)\",\"actions\":[{\"func\":\"sayHello\"}]}"
        return "[" + [String](repeating: module, count: 20).joined(separator: ",") + "]"
    }

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("behaviors.json", document)
    }

    private var server: Server { Server(behaviors: .file(folder["behaviors.json"])) }

    @Test("a client that accepts gzip gets it, with its own tag (RFC 9110 §8.8.3.3)")
    func coded() async throws {
        try await serving(server) { site in
            let plain = try await site.get("/behaviors.json")
            let coded = try await site.get("/behaviors.json", gzip)
            #expect(coded.status == 200)
            #expect(coded["Content-Encoding"] == "gzip")
            #expect(coded.mediaType == "application/json")
            #expect(coded.body.count < document.utf8.count / 4)
            #expect(try coded.content == document)
            #expect(plain["Content-Encoding"] == nil)
            #expect(plain.text == document)
            let tag = try #require(plain["ETag"])
            #expect(coded["ETag"] == "\(tag.dropLast())-gzip\"")
            #expect(coded["Last-Modified"] == plain["Last-Modified"])
            #expect(coded["Cache-Control"] == plain["Cache-Control"])
        }
    }

    @Test("every response has Vary: Accept-Encoding (RFC 9110 §12.5.5, §15.4.5)")
    func vary() async throws {
        try await serving(server) { site in
            for accept in [gzip, ("Accept-Encoding", "identity"), ("X", "y")] {
                let answer = try await site.get("/behaviors.json", accept)
                #expect(answer["Vary"] == "Accept-Encoding")
                let tag = ("If-None-Match", try #require(answer["ETag"]))
                let short = try await site.get("/behaviors.json", accept, tag)
                #expect(short.status == 304)
                #expect(short["Vary"] == "Accept-Encoding")
                #expect(short["ETag"] == answer["ETag"])
                #expect(short["Content-Encoding"] == nil)
            }
        }
    }

    @Test("HEAD has the same fields and no body (RFC 9110 §9.3.2)")
    func head() async throws {
        try await serving(server) { site in
            let full = try await site.get("/behaviors.json", gzip)
            let head = try await site.send("HEAD", "/behaviors.json", fields: [gzip])
            #expect(head.body.isEmpty)
            for name in ["Content-Length", "Content-Encoding", "ETag", "Vary", "Content-Type"] {
                #expect(head[name] == full[name] && head[name] != nil, "\(name)")
            }
        }
    }

    @Test("a tag applies to the selected representation (RFC 9110 §13.1.1, §13.1.2)")
    func preconditions() async throws {
        try await serving(server) { site in
            let plain = try #require(try await site.get("/behaviors.json")["ETag"])
            let coded = try #require(try await site.get("/behaviors.json", gzip)["ETag"])
            func status(
                _ name: String,
                _ tag: String,
                _ accept: (String, String)
            ) async throws
                -> Int
            {
                try await site.get("/behaviors.json", (name, tag), accept).status
            }
            let none = ("X", "y")
            #expect(try await status("If-None-Match", coded, gzip) == 304)
            #expect(try await status("If-None-Match", plain, gzip) == 200)
            #expect(try await status("If-None-Match", "W/" + coded, gzip) == 304)
            #expect(try await status("If-None-Match", "\(plain), \(coded)", gzip) == 304)
            #expect(try await status("If-None-Match", "\(plain), \(coded)", none) == 304)
            #expect(try await status("If-None-Match", coded, none) == 200)
            #expect(try await status("If-Match", coded, gzip) == 200)
            #expect(try await status("If-Match", plain, gzip) == 412)
            #expect(try await status("If-Match", coded, none) == 412)
            #expect(try await status("If-Match", plain, none) == 200)
        }
    }

    @Test(
        "a client that doesn't accept or prefer gzip gets the plain document (RFC 9110 §12.5.3)",
        arguments: ["", "identity", "br", "gzip;q=0", "*;q=0", "gzip;q=0.5, identity", "gzip;q=2"]
    )
    func identity(value: String) async throws {
        try await serving(server) { site in
            let answer = try await site.get("/behaviors.json", ("Accept-Encoding", value))
            #expect(answer.status == 200)
            #expect(answer["Content-Encoding"] == nil)
            #expect(answer.text == document)
        }
    }

    @Test("an edit goes live in both codings")
    func edit() async throws {
        try await serving(server) { site in
            let before = try await site.get("/behaviors.json", gzip)
            let other = Self.document("b")
            try folder.write("behaviors.json", other)
            #expect(site.running.parts.behaviors?.refresh() == true)
            let tag = ("If-None-Match", try #require(before["ETag"]))
            let after = try await site.get("/behaviors.json", gzip, tag)
            #expect(after.status == 200)
            #expect(try after.content == other)
            #expect(try await site.get("/behaviors.json").text == other)
        }
    }

    @Test("a document that gzip doesn't shrink is sent plain, without Vary")
    func small() async throws {
        try folder.write("behaviors.json", "[]")
        try await serving(server) { site in
            let answer = try await site.get("/behaviors.json", gzip)
            #expect(answer.text == "[]")
            #expect(answer["Content-Encoding"] == nil && answer["Vary"] == nil)
        }
    }
}
