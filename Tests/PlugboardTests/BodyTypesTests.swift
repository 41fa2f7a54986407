import HTTPTypes
import JSONCodec
import Plug
import PlugHTTP
import Plugboard
import PlugboardClient
import Testing

private class Note: Action<Note.Input, String>, PATCH {
    struct Input: Codable, Sendable {
        var id: Int
        var diff: String
        var mediaType: String
        var loud: Bool?
    }
    static var path: String { "/notes/{id}" }
    static var wholeBody: String? { "diff" }
    static var bodyTypes: [BodyType] {
        [BodyType("text/x-diff"), BodyType("application/x-lines", Lines.self)]
    }
    static var fields: [String: HTTPField.Name] { ["mediaType": .contentType] }
}
private enum Lines: SchemaDescribing {
    static var schema: JSON { ["type": "string", "minLength": 1] }
}
private class Members: Action<Members.Input, Int>, PATCH {
    struct Input: Codable, Sendable { var id: Int }
    static var path: String { "/members/{id}" }
}
private class Text: Action<Text.Input, String>, PUT {
    struct Input: Codable, Sendable { var text: String }
    static var path: String { "/text" }
    static var wholeBody: String? { "text" }
    static var bodyTypes: [BodyType] { [BodyType("text/plain")] }
}
private class Document: Action<Document.Input, String>, PUT {
    struct Input: Codable, Sendable { var text: String }
    static var path: String { "/document" }
    static var wholeBody: String? { "text" }
    static var bodyTypes: [BodyType] { [BodyType("application/json", Lines.self)] }
}
private class Wrong: Action<Wrong.Input, Int>, PUT {
    struct Input: Codable, Sendable { var text: String }
    static var path: String { "/wrong" }
    static var bodyTypes: [BodyType] { [BodyType("text/plain")] }
}

@Suite("Actions with several media types of the body")
struct BodyTypesTests {
    init() {
        Note.self <~ { note in "\(note.mediaType): \(note.diff) \(note.loud ?? false)" }
        Members.self <~ { $0.id }
        Text.self <~ { $0.text }
        Document.self <~ { $0.text }
    }

    private var server: Server {
        Server {
            Note.self
            Members.self
            Text.self
            Document.self
        }
    }

    @Test("the body has one of the types, and a member has its name")
    func taken() async throws {
        try await serving(server) { site in
            let answer = try await site.send(
                "PATCH",
                "/notes/7?loud=true",
                fields: [("Content-Type", "Text/X-Diff;charset=utf-8")],
                body: "+ a"
            )
            #expect(answer.text == #""Text/X-Diff;charset=utf-8: + a true""#)
            let client = Client(site.url)
            let note = Note.Input(id: 7, diff: "-", mediaType: "application/x-lines")
            let sent = try await client.send(Note.self, note)
            #expect(sent == "application/x-lines: - false")
            let text = try await site.send(
                "PUT",
                "/text",
                fields: [("Content-Type", "text/plain")],
                body: "{"
            )
            #expect(text.text == #""{""#)
        }
    }

    @Test(
        "another media type is a 415 that lists them in Accept, for a patch also in Accept-Patch",
        arguments: ["application/json", "text/x-dif", "text/x-diff2", "text", nil]
    )
    func others(type: String?) async throws {
        try await serving(server) { site in
            let fields = type.map { [("Content-Type", $0)] } ?? []
            let patch = try await site.send("PATCH", "/notes/7", fields: fields, body: "+")
            #expect(patch.status == 415)
            #expect(patch["Accept"] == "text/x-diff, application/x-lines")
            #expect(patch["Accept-Patch"] == "text/x-diff, application/x-lines")
            let put = try await site.send("PUT", "/text", fields: fields, body: "+")
            #expect(put.status == 415)
            #expect(put["Accept"] == "text/plain")
            #expect(put["Accept-Patch"] == nil)
        }
    }

    @Test("JSON is the default type, and a body has to declare it (RFC 9110 §8.3)")
    func json() async throws {
        try await serving(server) { site in
            for (type, status) in [
                (nil, 415), ("application/json", 200), ("application/a+json", 200),
                ("text/plain", 415),
            ] as [(String?, Int)] {
                let fields = type.map { [("Content-Type", $0)] } ?? []
                let put = try await site.send("PUT", "/document", fields: fields, body: "1")
                #expect(put.status == status)
                if status == 415 { #expect(put["Accept"] == "application/json") }
            }
            let api = try JSON(parsing: try await site.get("/openapi.json").body)
            let content = api["paths"]?["/document"]?["put"]?["requestBody"]?["content"]
            #expect(content == ["application/json": ["schema": Lines.schema]])
        }
    }

    @Test("OPTIONS lists the media types of a patch, also if they are the defaults (RFC 5789 §3.1)")
    func options() async throws {
        try await serving(server) { site in
            let notes = try await site.send("OPTIONS", "/notes/7")
            #expect(notes["Accept-Patch"] == "text/x-diff, application/x-lines")
            let members = try await site.send("OPTIONS", "/members/7")
            let usual = "application/json, application/x-www-form-urlencoded"
            #expect(members["Accept-Patch"] == usual)
            let text = try await site.send("OPTIONS", "/text")
            #expect(text["Accept-Patch"] == nil)
        }
    }

    @Test("the API description has each media type with its schema")
    func description() async throws {
        try await serving(server) { site in
            let answer = try await site.get("/openapi.json")
            let api = try JSON(parsing: answer.body)
            let operation = api["paths"]?["/notes/{id}"]?["patch"]
            let content: JSON = [
                "text/x-diff": ["schema": [:]], "application/x-lines": ["schema": Lines.schema],
            ]
            #expect(operation?["requestBody"]?["content"] == content)
            let names = operation?["parameters"]?.array?.compactMap(\.["name"]?.string)
            #expect(names == ["id", "loud", "Request-Timeout"])
        }
    }

    @Test("media types without a whole body are a start-up error")
    func wrong() {
        let error = #expect(throws: StartError.self) { _ = try Server { Wrong.self }.start() }
        #expect(error?.description.contains("no member is the whole body") == true)
    }
}
