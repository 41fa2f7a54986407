import Plugboard
import Testing

@Suite("Media types")
struct MediaTypeTests {
    @Test("a file's extension determines its media type")
    func types() async throws {
        let folder = try TemporaryFolder()
        for (name, _) in Self.table { try folder.write(name, "x") }
        var server = Server()
        server.configuration.publicFolder = folder.path
        try await serving(server) { site in
            for (name, type) in Self.table {
                let answer = try await site.get("/" + name)
                #expect(answer.status == 200, "\(name)")
                #expect(answer.mediaType == type, "\(name)")
                #expect(answer["X-Content-Type-Options"] == "nosniff", "\(name)")
            }
        }
    }

    private static let table = [
        ("page.html", "text/html; charset=utf-8"), ("page.htm", "text/html; charset=utf-8"),
        ("style.css", "text/css; charset=utf-8"), ("code.js", "text/javascript; charset=utf-8"),
        ("code.mjs", "text/javascript; charset=utf-8"),
        ("notes.txt", "text/plain; charset=utf-8"), ("read.md", "text/markdown; charset=utf-8"),
        ("table.csv", "text/csv; charset=utf-8"), ("feed.xml", "application/xml"),
        ("data.json", "application/json"), ("code.js.map", "application/json"),
        ("app.webmanifest", "application/manifest+json"), ("app.wasm", "application/wasm"),
        ("paper.pdf", "application/pdf"), ("all.zip", "application/zip"),
        ("all.tar.gz", "application/gzip"), ("line.svg", "image/svg+xml"),
        ("a.png", "image/png"), ("a.jpg", "image/jpeg"), ("a.jpeg", "image/jpeg"),
        ("a.gif", "image/gif"), ("a.webp", "image/webp"), ("a.avif", "image/avif"),
        ("favicon.ico", "image/x-icon"), ("a.heic", "image/heic"), ("a.woff", "font/woff"),
        ("a.woff2", "font/woff2"), ("a.ttf", "font/ttf"), ("a.otf", "font/otf"),
        ("a.mp3", "audio/mpeg"), ("a.m4a", "audio/mp4"), ("a.wav", "audio/wav"),
        ("a.ogg", "audio/ogg"), ("a.mp4", "video/mp4"), ("a.mov", "video/quicktime"),
        ("a.webm", "video/webm"), ("LOUD.HTML", "text/html; charset=utf-8"),
        ("plain", "application/octet-stream"), ("a.unknown", "application/octet-stream"),
        ("ends.", "application/octet-stream"), ("folder.html/plain", "application/octet-stream"),
    ]
}
