import Plug
import PlugHTTP
import Testing

@testable import Plugboard

private class Old: Action<Void, String>, GET, Deprecated {
    static var path: String { "/old" }
    static var deprecation: Deprecation {
        Deprecation(
            since: "2023-06-30T23:59:59Z",
            sunset: "2027-01-01",
            link: "https://example.org/new"
        )
    }
}
private class New: Action<Void, String>, GET { static var path: String { "/new" } }
private class Wrong: Action<Void, String>, GET, Deprecated {
    static var path: String { "/wrong" }
    static var deprecation: Deprecation { Deprecation(since: "soon") }
}

@Suite("Deprecated actions")
struct DeprecationTests {
    init() {
        Old.self <~ { "old" }
        New.self <~ { "new" }
        Wrong.self <~ { "wrong" }
    }

    @Test("each response has Deprecation, Sunset and Link (RFC 9745 §2, RFC 8594 §3)")
    func fields() async throws {
        let server = Server {
            Old.self
            New.self
        }
        try await serving(server) { site in
            let old = try await site.get("/old")
            #expect(old["Deprecation"] == "@1688169599")
            #expect(old["Sunset"] == "Fri, 01 Jan 2027 00:00:00 GMT")
            #expect(old["Link"] == #"<https://example.org/new>; rel="deprecation""#)
            #expect(old.text == #""old""#)
            let new = try await site.get("/new")
            #expect(new["Deprecation"] == nil)
        }
    }

    @Test("an invalid deprecation is a start-up error")
    func wrong() {
        #expect { try Server { Wrong.self }.start() } throws: { error in
            "\(error)".contains("Wrong's deprecation is invalid: \"soon\"")
        }
    }

    @Test(
        "invalid dates, a sunset before the deprecation and an invalid link are reported",
        arguments: [
            Deprecation(since: ""), Deprecation(since: "2026-13-01"),
            Deprecation(since: "2026-02-30"), Deprecation(since: "2026-01-01T00:00:00"),
            Deprecation(since: "2026-01-01", sunset: "never"),
            Deprecation(since: "2026-01-02", sunset: "2026-01-01"),
            Deprecation(since: "2026-01-01", link: ""),
            Deprecation(since: "2026-01-01", link: "a>b"),
            Deprecation(since: "2026-01-01", link: "a b"),
        ]
    )
    func problems(_ deprecation: Deprecation) {
        #expect(deprecation.problem != nil)
    }

    @Test("a sunset at the time of the deprecation is valid (RFC 9745 §4)")
    func same() {
        #expect(Deprecation(since: "2026-01-01", sunset: "2026-01-01").problem == nil)
    }
}
