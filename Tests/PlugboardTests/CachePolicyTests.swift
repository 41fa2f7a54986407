import Testing

@testable import Plugboard

@Suite("Cache lifetimes of files (RFC 9111 §5.2.2, RFC 8246)")
struct CachePolicyTests {
    @Test(
        "a file with a content hash in its name is cached for a year",
        arguments: [
            "app.3f2a9c1b.js", "main-5e884898da28.css", "assets/app.3f2a9c1b.js",
            "index-BdR4kX9z.js", "index-D4_aZw0T.css", "app.3f2a9c1b.chunk.js",
            "app.3f2a9c1b.js.map", "logo-0A1B2C3D.svg", "a.b-3f2a9c1b.js", ".3f2a9c1b.js",
            "font.9e107d9d372bb6826bd81d3542a419d6.woff2", "a-b-c.deadbee1.css",
        ]
    )
    func immutable(path: String) {
        #expect(CachePolicy.of(path) == "public, max-age=31536000, immutable")
    }

    @Test(
        "any other file is revalidated for each request",
        arguments: [
            "", "index.html", "app.js", "app.3f2a9c1.js", "3f2a9c1b.js", "app.3f2a9c1b",
            "report-20240101.pdf", "photo.12345678.jpg", "app.deadbeef.js", "app.background.js",
            "jquery-3.7.1.min.js", "a-Screenshot2024.png", "manual-version2.html",
            "trip-MyPhoto12.jpg",
            "chapter-introduction1.html", "3f2a9c1b/app.js", "app.3f2a9c1b/index.html",
            "app_3f2a9c1b.js", "app.3f2a 9c1b.js", "user-550e8400-e29b-41d4-a716-4466554400aa.jpg",
            "550e8400-e29b-41d4-a716-4466554400aa.jpg", "main-5e884898da28-old.css",
            "é.3f2a9c1é.js",
        ]
    )
    func noCache(path: String) {
        #expect(CachePolicy.of(path) == "no-cache")
    }
}
