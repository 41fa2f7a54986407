import HTTPTypes
import JSONCodec
import Testing

@testable import BehaviorClient

@Suite("A document's request")
struct DocumentRequestTests {
    @Test(
        "has the URL's path, or that of the default document",
        arguments: [
            ("http://localhost:8080", "localhost:8080", "/behaviors.json"),
            ("https://example.com/", "example.com", "/behaviors.json"),
            ("https://example.com/a/b.json?x=%20@", "example.com", "/a/b.json?x=%20@"),
            ("HTTP://[::1]:80/b", "[::1]:80", "/b"),
        ]
    )
    func address(_ url: String, _ authority: String, _ path: String) throws {
        let address = try DocumentAddress(url)
        #expect(address.authority == authority)
        #expect(address.path == path)
    }

    @Test(
        "is an error of a URL that isn't one, without its password",
        arguments: [
            "", "localhost", "ftp://a/b", "http://", "http://a/b c", "http://a/b#c",
            "http://ada:secret@host/b", "http://ada:sec/ret@host/b", "http://a\r\nb/",
        ]
    )
    func invalidAddress(_ url: String) {
        do {
            _ = try DocumentAddress(url)
            Issue.record("\(url) is accepted")
        } catch {
            #expect(error.kind == .invalidURL)
            #expect(!error.message.contains("secret") && !error.message.contains("ret@"))
        }
    }

    @Test("sends context, tag and the guard's reports in fields that any proxy passes")
    func fields() throws {
        let request = DocumentRequest.request(
            try DocumentAddress("http://a"),
            fields: [.authorization: "Bearer t"],
            context: ["city": "Rīga 🌍\n", "n": 1],
            tag: "\"t\"",
            reports: [
                GuardReport(kind: .quarantine, revision: "r\"\r\n", module: "M", function: "f:"),
                GuardReport(kind: .fallback, revision: "r", source: .bundled),
            ]
        )
        #expect(request.headerFields[.ifNoneMatch] == "\"t\"")
        #expect(request.headerFields[.authorization] == "Bearer t")
        let names = (
            context: try #require(HTTPField.Name("Plugboard-Context")),
            reports: try #require(HTTPField.Name("Plugboard-Guard"))
        )
        let context = try #require(request.headerFields[names.context])
        #expect(context.utf8.allSatisfy { (0x20...0x7E).contains($0) })
        #expect(try JSON(parsing: context.utf8) == ["city": "Rīga 🌍\n", "n": 1])
        #expect(
            request.headerFields[names.reports]
                == #"quarantine;revision="r\"??";module="M";function="f:", "#
                + #"fallback;revision="r";source=bundled"#
        )
    }

    @Test("has no field for a missing context, report or tag")
    func bare() throws {
        let request = DocumentRequest.request(
            try DocumentAddress("http://a"),
            fields: [:],
            context: [:],
            tag: nil,
            reports: []
        )
        #expect(request.headerFields.map(\.name) == [.accept])
    }
}
