import HTTPTypes
import PlugboardClient
import Testing

/// A list as the body, beside a variable of the path, a query and a field.
private class SetLabels: Action<SetLabels.Input, Void>, PUT {
    struct Input: InputWithBody {
        var issue: Int
        var dryRun: Bool?
        var version: String?
        var labels: [String]?

        private enum CodingKeys: CodingKey { case issue, dryRun, version }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(issue, forKey: .issue)
            try container.encodeIfPresent(dryRun, forKey: .dryRun)
            try container.encodeIfPresent(version, forKey: .version)
        }

        func requestBody() throws -> RequestBody? { try labels.map { try RequestBody(json: $0) } }
    }

    static var path: String { "/issues/{issue}/labels" }
    static var fields: [String: HTTPField.Name] { ["version": .expect] }
}

private class GetThing: Action<Void, [String]>, GET {
    static var path: String { "/thing" }
    static var mediaType: String? { "application/vnd.thing+json" }
}

@Suite("Inputs that make their body")
struct InputWithBodyTests {
    private struct Pair: Codable, Hashable, Sendable {
        var a: [Int]
        var b: String?
    }

    @Test("members are in the path, the query and the fields, and never in the body")
    func places() async throws {
        let mock = MockTransport { request, body in
            #expect(request.path == "/issues/7/labels?dryRun=true")
            #expect(request.headerFields[.expect] == "v2")
            #expect(request.headerFields[.contentType] == "application/json")
            #expect(String(decoding: body, as: UTF8.self) == #"["a","b"]"#)
            return .status(.noContent)
        }
        let client = Client("https://example.com", transport: mock)
        try await client.send(
            SetLabels.self,
            .init(issue: 7, dryRun: true, version: "v2", labels: ["a", "b"])
        )
        #expect(mock.requests.count == 1)
    }

    @Test("without a body there is no media type")
    func nothing() async throws {
        let mock = MockTransport { request, body in
            #expect(body.isEmpty && request.headerFields[.contentType] == nil)
            return .status(.noContent)
        }
        try await Client("https://example.com", transport: mock)
            .send(SetLabels.self, .init(issue: 7))
        #expect(mock.requests.count == 1)
    }

    @Test("a value that the path can't have is an error before anything is sent")
    func invalid() async throws {
        let mock = MockTransport { _, _ in .status(.noContent) }
        await #expect(throws: ClientError.self) {
            try await Client("https://example.com", transport: mock)
                .send(SetLabels.self, .init(issue: 7, version: "a\nb"))
        }
        #expect(mock.requests.isEmpty)
    }

    @Test("a form has the members of a value, and rejects nested lists")
    func forms() async throws {
        var bytes: [UInt8] = []
        for try await piece in try RequestBody(form: Pair(a: [1, 2], b: "x y")) { bytes += piece }
        #expect(String(decoding: bytes, as: UTF8.self) == "a=1&a=2&b=x%20y")
        #expect(throws: ClientError.self) { try RequestBody(form: [["a": [Pair(a: [])]]]) }
        #expect(throws: ClientError.self) { try RequestBody(form: 5) }
    }

    @Test("a multipart form has scalars as text, and other values as JSON")
    func parts() async throws {
        var form = MultipartForm()
        try form.add("text", value: "a\"b")
        try form.add("number", value: 1.5)
        try form.add("object", value: Pair(a: [1]))
        form.add("file", .init(name: "f.png", bytes: [1], mediaType: "image/png"))
        var bytes: [UInt8] = []
        for try await piece in try form.body() { bytes += piece }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("name=\"text\"\r\n\r\na\"b\r\n"))
        #expect(text.contains("name=\"number\"\r\n\r\n1.5\r\n"))
        #expect(
            text.contains(
                "name=\"object\"\r\nContent-Type: application/json\r\n\r\n{\"a\":[1]}\r\n"
            )
        )
        #expect(text.contains("filename=\"f.png\"\r\nContent-Type: image/png\r\n\r\n\u{1}\r\n"))
    }

    @Test("an error in JSON that is no problem is the problem's body, and isn't encoded")
    func errors() async throws {
        let mock = MockTransport { request, _ in
            #expect(
                request.headerFields[.accept]?.hasPrefix("application/vnd.thing+json, ") == true
            )
            return try .json(["message": "gone"], status: .gone)
        }
        let problem = try await #require(throws: Problem.self) {
            _ = try await Client("https://example.com", transport: mock).send(GetThing.self)
        }
        #expect(problem.status == .gone && problem.body?["message"] == "gone")
        #expect(try JSON(encoding: problem)["message"] == nil)
    }

    @Test("a box is its value in JSON")
    func boxes() throws {
        var box = Boxed(Pair(a: [1]))
        #expect(try JSON(encoding: box).description == #"{"a":[1]}"#)
        #expect(try JSON(encoding: box).decode(Boxed<Pair>.self) == box)
        box.value.b = "x"
        #expect(box != Boxed(Pair(a: [1])))
    }
}
