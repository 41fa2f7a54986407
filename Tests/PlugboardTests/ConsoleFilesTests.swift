import Foundation
import HTTPServer
import HTTPSyntax
import Plug
import PlugHTTP
import Testing

@testable import Plugboard

private class Hello: Action<Void, String>, GET { static var path: String { "/hello" } }

@Suite("The console's files")
struct ConsoleFilesTests {
    private func server(_ port: Exposure = .public) throws -> (Server, TemporaryFolder) {
        Hello.self <~ { "hello" }
        let folder = try TemporaryFolder()
        var server = Server { Hello.self }
        server.configuration.dataFolder = folder["data"]
        server.configuration.operations = .init()
        server.configuration.operations?.port = 0
        server.administration = port
        return (server, folder)
    }

    private static var sources: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/CConsole/files")
    }

    @Test("each file of the folder is in the program, with its bytes, and no other")
    func table() throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path)
            .filter { name in
                var isFolder: ObjCBool = false
                let path = Self.sources.appending(path: name).path
                return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                    && !isFolder.boolValue
            }
        #expect(ConsoleFiles.embeddedFiles.map(\.name).sorted() == names.sorted())
        for file in ConsoleFiles.embeddedFiles {
            let source = try Data(contentsOf: Self.sources.appending(path: file.name))
            #expect(source.elementsEqual(file.bytes), "\(file.name)")
        }
    }

    @Test("no file has inline code, which the policy blocks, or refers to another server")
    func policy() {
        for file in ConsoleFiles.embeddedFiles {
            let text = String(decoding: file.bytes, as: UTF8.self)
            if file.name.hasSuffix(".html") {
                #expect(!text.contains("<style"), "\(file.name)")
                #expect(text.matches(of: /<script(?![^>]*\ssrc=)/).isEmpty, "\(file.name)")
                #expect(text.matches(of: /\s(?:style|on[a-z]+)=/).isEmpty, "\(file.name)")
            }
            #expect(text.matches(of: /(?:src|href)="(?:https?:)?\/\//).isEmpty, "\(file.name)")
            #expect(text.matches(of: /\beval\(|new Function\(/).isEmpty, "\(file.name)")
        }
    }

    @Test("the index page is revalidated, and allows only the server's own files")
    func index() async throws {
        let (server, folder) = try server()
        try await serving(server) { site in
            let got = try await site.get("/console/")
            #expect(got.status == 200)
            #expect(got["Content-Type"] == "text/html; charset=utf-8")
            #expect(got["Cache-Control"] == "no-cache")
            #expect(got["X-Content-Type-Options"] == "nosniff")
            #expect(got["Referrer-Policy"] == "no-referrer")
            #expect(got["Cross-Origin-Opener-Policy"] == "same-origin")
            let policy = try #require(got["Content-Security-Policy"])
            for part in [
                "default-src 'none'", "script-src 'self'", "frame-ancestors 'none'",
                "form-action 'none'", "base-uri 'none'",
            ] {
                #expect(policy.contains(part))
            }
            #expect(!policy.contains("unsafe"))
            #expect(!got.text.contains("@digest@"))
            let tag = try #require(got["ETag"])
            let again = try await site.get("/console/", ("If-None-Match", tag))
            #expect(again.status == 304 && again.body.isEmpty)
            #expect(again["Content-Security-Policy"] == policy)
            let head = try await site.send("HEAD", "/console/")
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(head["Content-Length"] == "\(got.body.count)")
        }
        withExtendedLifetime(folder) {}
    }

    @Test("a file is in the digest's folder: immutable, with a tag, and compressed if that helps")
    func files() async throws {
        let script = File(
            name: "app.js",
            bytes: Array(String(repeating: "let a\n", count: 99).utf8)
        )
        let index = File(name: "index.html", bytes: Array("@digest@/app.js".utf8))
        let digest = ConsoleFiles.digest(of: [script, index])
        let console = ConsoleFiles { [index, script] }
        let path = "/console/\(digest)/app.js"
        let got = try await answer(console, path)
        #expect(got.field("cache-control") == "public, max-age=31536000, immutable")
        #expect(got.field("content-type") == "text/javascript; charset=utf-8")
        #expect(got.text == String(decoding: script.bytes, as: UTF8.self))
        let coded = try await answer(console, path, "Accept-Encoding: gzip\r\n")
        #expect(coded.field("content-encoding") == "gzip" && coded.field("vary") != nil)
        #expect(coded.field("etag") != got.field("etag"))
        let page = try await answer(console, "/console/")
        #expect(page.text == "\(digest)/app.js")
    }

    private typealias File = ConsoleFiles.File

    @Test("a change of any file's name or content changes the digest, the files' order doesn't")
    func digests() {
        let one = File(name: "a.js", bytes: [1])
        let other = File(name: "b.js", bytes: [2])
        let digest = ConsoleFiles.digest(of: [one, other])
        #expect(ConsoleFiles.digest(of: [other, one]) == digest)
        #expect(ConsoleFiles.digest(of: [one]) != digest)
        #expect(ConsoleFiles.digest(of: [one, File(name: "b.js", bytes: [3])]) != digest)
        #expect(ConsoleFiles.digest(of: [one, File(name: "c.js", bytes: [2])]) != digest)
    }

    @Test(
        "other paths are 404, whatever they try",
        arguments: [
            "/console/app.js", "/console/0000000000000000/index.html", "/console/../tokens/",
            "/console/%2e%2e/%2e%2e/etc/passwd", "/console/..%2f..%2fetc%2fpasswd", "/console//",
            "/console/%00", "/consoles/", "/console/index.html",
        ]
    )
    func traversal(target: String) async throws {
        let (server, folder) = try server()
        try await serving(server) { site in
            let got = try await site.get(target)
            #expect(got.status == 404 || got.status == 400, "\(got.status)")
            #expect(!got.text.contains("root:"))
        }
        withExtendedLifetime(folder) {}
    }

    @Test("/console redirects to the page, and the pages accept reads only")
    func methods() async throws {
        let (server, folder) = try server()
        try await serving(server) { site in
            let moved = try await site.get("/console?next=https://evil.example")
            #expect(moved.status == 301 && moved["Location"] == "console/")
            let post = try await site.post("/console/", "{}")
            #expect(post.status == 405 && post["Allow"] == "GET, HEAD, OPTIONS")
            #expect(try await site.send("OPTIONS", "/console/").status == 204)
            let part = try await site.get("/console/", ("Range", "bytes=0-3"))
            #expect(part.status == 200 && part["Content-Range"] == nil)
        }
        withExtendedLifetime(folder) {}
    }

    @Test(
        "the console is on the port of the administration, or left out",
        arguments: [
            Exposure.none, .operationsPort, .public,
        ]
    )
    func ports(port: Exposure) async throws {
        let (server, folder) = try server(port)
        try await serving(server) { site in
            #expect(try await site.get("/console/").status == (port == .public ? 200 : 404))
            let operations = try await site.operations("/console/")
            #expect(operations.status == (port == .operationsPort ? 200 : 404))
            let openAPI = try await site.operations("/openapi.json")
            #expect(openAPI.status == (port == .operationsPort ? 200 : 404))
        }
        withExtendedLifetime(folder) {}
    }

    @Test("a server whose console is off has none, and one without callers has none to administer")
    func off() async throws {
        var (server, folder) = try server()
        server.configuration.console = false
        try await serving(server) { site in
            for path in ["/console/", "/console"] {
                let got = try await site.get(path)
                #expect(got.status == 404)
            }
        }
        server.configuration.console = true
        server.configuration.dataFolder = nil
        try await serving(server) { site in
            let got = try await site.get("/console/")
            #expect(got.status == 404)
        }
        withExtendedLifetime(folder) {}
    }

    // MARK: Without a server

    private struct Given {
        let fields: String
        let text: String

        func field(_ name: String) -> String? {
            fields.split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name):") }
                .map { String($0.drop { $0 != ":" }.dropFirst(2)) }
        }
    }

    private func answer(
        _ console: ConsoleFiles,
        _ path: String,
        _ fields: String = ""
    ) async throws -> Given {
        let request = Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n".utf8)
        let parser = RequestParser(limits: HeadLimits())
        let reply = try request.withUnsafeBufferPointer { bytes -> Reply in
            guard case .complete = parser.parse(bytes),
                let reply = console.answer(parser.headPlace.pointee)
            else { throw HarnessError("no page") }
            return reply
        }
        let response: Response
        switch reply {
        case .now(let made): response = made
        case .later(let work): response = await work()
        }
        guard case .bytes(let bytes) = response.body else { throw HarnessError("no body") }
        let fields = ServerResponse(response).fields.map { "\($0.name): \($0.value)" }
        return Given(
            fields: fields.joined(separator: "\r\n"),
            text: String(decoding: bytes, as: UTF8.self)
        )
    }
}
