import Foundation
import Glibc
import Plugboard
import Testing

@Suite("The public folder")
struct PublicFolderTests {
    private let folder: TemporaryFolder
    private let server: Server

    /// A folder `public` with files, and beside it a file that nobody may get.
    init() throws {
        folder = try TemporaryFolder()
        try folder.write("secret.txt", "secret")
        try folder.write("public/index.html", "<p>home</p>")
        try folder.write("public/a file é.txt", "spaces")
        try folder.write("public/sub/index.html", "<p>sub</p>")
        try folder.write("public/sub/page.html", "<p>page</p>")
        try folder.write("public/bare/page.html", "<p>bare</p>")
        try folder.write("public/.env", "secret")
        try folder.write("public/.git/config", "secret")
        try folder.write("public/.well-known/security.txt", "Contact: us")
        try folder.write("public/%2e%2e/odd.txt", "odd")
        var server = Server()
        server.configuration.publicFolder = folder["public"]
        self.server = server
    }

    @Test("a file dated before 1970 is served like any other")
    func early() async throws {
        let path = try folder.write("public/early.txt", "early")
        var times = [timeval(tv_sec: -300_000_000, tv_usec: 5), timeval(tv_sec: -1, tv_usec: 5)]
        #expect(utimes(path, &times) == 0)
        try await serving(server) { site in
            let answer = try await site.get("/early.txt")
            #expect(answer.status == 200)
            #expect(answer.text == "early")
        }
    }

    @Test("a hidden file stays hidden after a character that combines with the slash")
    func prepended() async throws {
        try folder.write("public/\u{600}/.secret", "secret")
        try await serving(server) { site in
            let answer = try await site.get("/%D8%80/.secret")
            #expect(answer.status == 404)
        }
    }

    @Test("/ and a folder's path with a slash serve its index.html")
    func index() async throws {
        try await serving(server) { site in
            let answer = try await site.get("/")
            #expect(answer.status == 200)
            #expect(answer.text == "<p>home</p>")
            #expect(answer.mediaType == "text/html; charset=utf-8")
            #expect(try await site.get("/sub/").text == "<p>sub</p>")
            #expect(try await site.get("/index.html?v=1").text == "<p>home</p>")
            #expect(try await site.get("/sub/page.html").text == "<p>page</p>")
            #expect(try await site.get("/a%20file%20%C3%A9.txt").text == "spaces")
            #expect(try await site.get("/.well-known/security.txt").text == "Contact: us")
        }
    }

    @Test("a folder's path without a slash is redirected")
    func redirect() async throws {
        try folder.write("public/sub[1]|^/index.html", "odd")
        try await serving(server) { site in
            let answer = try await site.get("/sub")
            #expect(answer.status == 301)
            #expect(answer["Location"] == "/sub/")
            #expect(try await site.get("/sub?a=1&b=2")["Location"] == "/sub/?a=1&b=2")
            #expect(try await site.send("HEAD", "/sub")["Location"] == "/sub/")
            // A reference has none of what browsers send without escaping it (RFC 3986 §3.4).
            let loose = try await site.get("/sub?a={b}|^`[c]&%7b")
            #expect(loose["Location"] == "/sub/?a=%7Bb%7D%7C%5E%60%5Bc%5D&%7b")
            let odd = try await site.get("/sub[1]|^")
            #expect(odd["Location"] == "/sub%5B1%5D%7C%5E/")
            #expect(try await site.get("/sub%5B1]%7C^/").text == "odd")
            let looser = try await site.get("/sub?a\\b%&%zz")
            #expect(looser["Location"] == "/sub/?a%5Cb%25&%25zz")
        }
    }

    @Test("a folder without an index is not found")
    func noIndex() async throws {
        try FileManager.default.createDirectory(
            atPath: folder["public/odd/index.html"],
            withIntermediateDirectories: true
        )
        try await serving(server) { (site) async throws in
            #expect(try await site.get("/bare/").status == 404)
            // An index that is a folder is no index, and nothing to be sent on to.
            #expect(try await site.get("/odd/").status == 404)
            #expect(try await site.get("/odd/index.html/").status == 404)
        }
    }

    @Test(
        "no path leads out of the folder",
        arguments: [
            "/../secret.txt", "/../../etc/passwd", "/sub/../../secret.txt", "/./../secret.txt",
            "/%2e%2e/secret.txt", "/%2E%2E/secret.txt", "/.%2e/secret.txt", "/%2e./secret.txt",
            "/..%2Fsecret.txt", "/..%2fsecret.txt", "/%2e%2e%2fsecret.txt",
            "/sub%2F..%2F..%2Fsecret.txt", "/..%5Csecret.txt", "/%2e%2e%5csecret.txt",
            "/%252e%252e/secret.txt", "/%252e%252e%252fsecret.txt", "/..%252fsecret.txt",
            "/%2Fetc/passwd", "/%2Fetc%2Fpasswd", "//etc/passwd", "///etc/passwd",
            "/%c0%ae%c0%ae/secret.txt", "/%e0%80%ae%e0%80%ae/secret.txt", "/..;/secret.txt",
            "/sub/..", "/..", "/.", "/sub/.", "/%2e", "/sub/%2e%2e/", "/%0a", "/%7f",
            "/secret.txt", "/../public/index.html", "http://localhost/../secret.txt",
        ]
    )
    func escapes(_ path: String) async throws {
        try await serving(server) { site in
            let answer = try await site.get(path)
            #expect(answer.status == 404)
            #expect(!answer.text.contains("secret"))
        }
    }

    @Test("an invalid target is a 400", arguments: ["/..\\secret.txt", "/%00", "/%2", "/%zz"])
    func malformed(_ path: String) async throws {
        try await serving(server) { (site) async throws in
            #expect(try await site.get(path).status == 400)
        }
    }

    @Test("a file whose name only looks encoded is served by its name")
    func decodedOnce() async throws {
        try await serving(server) { (site) async throws in
            #expect(try await site.get("/%252e%252e/odd.txt").text == "odd")
        }
    }

    @Test("hidden files are not found", arguments: ["/.env", "/.git/config", "/.git/", "/%2eenv"])
    func hidden(_ path: String) async throws {
        try await serving(server) { (site) async throws in
            #expect(try await site.get(path).status == 404)
        }
    }

    @Test("links that lead out are not found, absolute or relative, file or folder")
    func linksOut() async throws {
        try folder.link("public/absolute.txt", to: folder["secret.txt"])
        try folder.link("public/relative.txt", to: "../secret.txt")
        try folder.link("public/up", to: "..")
        try folder.link("public/away", to: folder.path)
        try folder.link("public/sub/deep", to: "../../secret.txt")
        try folder.link("public/chain", to: "relative.txt")
        try folder.link("public/around", to: "../public/../secret.txt")
        try folder.link("public/loop", to: "loop")
        try folder.link("public/dangling", to: "nowhere")
        try folder.link("public/process", to: "/proc/self/root/etc/passwd")
        try await serving(server) { site in
            for path in [
                "/absolute.txt", "/relative.txt", "/up", "/up/", "/up/secret.txt", "/away",
                "/away/secret.txt", "/sub/deep", "/chain", "/around", "/loop", "/dangling",
                "/process",
            ] {
                let answer = try await site.get(path)
                #expect(answer.status == 404, "\(path)")
                #expect(!answer.text.contains("secret"), "\(path)")
            }
        }
    }

    @Test("links that stay inside are served")
    func linksInside() async throws {
        try folder.link("public/home.html", to: "index.html")
        try folder.link("public/sub/up.html", to: "../index.html")
        try folder.link("public/alias", to: "sub")
        try await serving(server) { (site) async throws in
            #expect(try await site.get("/home.html").text == "<p>home</p>")
            #expect(try await site.get("/sub/up.html").text == "<p>home</p>")
            #expect(try await site.get("/alias/page.html").text == "<p>page</p>")
            #expect(try await site.get("/alias")["Location"] == "/alias/")
        }
    }

    @Test("a special file is not found and blocks nothing")
    func noFile() async throws {
        #expect(mkfifo(folder["public/pipe"], 0o644) == 0)
        try await serving(server) { (site) async throws in
            #expect(try await site.get("/pipe").status == 404)
            #expect(try await site.get("/index.html/").status == 404)
            #expect(try await site.get("/index.html/x").status == 404)
            let long = String(repeating: "n", count: 300)
            #expect(try await site.get("/" + long).status == 404)
        }
    }

    @Test("an unreadable file is a 403", .enabled(if: getuid() != 0))
    func unreadable() async throws {
        chmod(folder["public/sub/page.html"], 0)
        try await serving(server) { (site) async throws in
            #expect(try await site.get("/sub/page.html").status == 403)
        }
    }

    @Test("a file allows only GET and HEAD")
    func methods() async throws {
        try await serving(server) { site in
            for method in ["POST", "PUT", "PATCH", "DELETE"] {
                let answer = try await site.send(method, "/index.html")
                #expect(answer.status == 405)
                #expect(answer["Allow"] == "GET, HEAD, OPTIONS")
                #expect(try await site.send(method, "/nowhere").status == 404)
            }
            let options = try await site.send("OPTIONS", "/index.html")
            #expect(options.status == 204)
            #expect(options["Allow"] == "GET, HEAD, OPTIONS")
        }
    }

    @Test("without a public folder there are no files")
    func none() async throws {
        try await serving(Server()) { site in
            let answer = try await site.get("/")
            #expect(answer.status == 404)
            #expect(answer.mediaType == "application/problem+json")
        }
    }
}
