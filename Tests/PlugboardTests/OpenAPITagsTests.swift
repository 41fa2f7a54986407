import HTTPTypes
import JSONCodec
import Plug
import PlugHTTP
import Plugboard
import Testing

private class Listed: Action<Void, [Int]>, GET { static var path: String { "/listed" } }
private class Table: Action<Void, ResponseBody>, GET { static var path: String { "/table" } }
private class Watch: Action<Void, AsyncStream<Int>>, GET { static var path: String { "/watch" } }
private class Change: Action<Int, Int>, PUT { static var path: String { "/change" } }
private class Sum: Action<[Int], Int> {}
private class Secret: Action<Void, Int>, GET, Confidential {
    static var path: String { "/secret" }
}
private class Marked: Action<Void, Int>, GET, HasEntityTag { static var path: String { "/marked" } }
private class Ready: Action<Void, Void>, GET { static var path: String { "/ready" } }
private class Known: Action<Known.Input, Int>, GET {
    struct Input: Codable, Sendable { var known: String? }
    static var path: String { "/known" }
    static var fields: [String: HTTPField.Name] { ["known": .ifNoneMatch] }
}

@Suite("The description of entity tags")
struct OpenAPITagsTests {
    @Test("has the tags of complete responses, and the statuses of conditions (RFC 9110 §13.1)")
    func tags() throws {
        @ActionsBuilder var actions: [ExposedAction] {
            Listed.self
            Table.self
            Marked.self
            Known.self
            Watch.self
            Ready.self
            Secret.self
            Change.self
            Sum.self
        }
        func operations(tagsAll: Bool) -> [(name: String, about: JSON)] {
            let api = OpenAPI.document(of: actions, hasBehaviors: false, tagsAll: tagsAll)
            return (api["paths"]?.object ?? JSON.Object()).flatMap { _, item in
                (item.object ?? JSON.Object()).map { ($1["operationId"]?.string ?? "", $1) }
            }
        }
        for (tagsAll, tagged) in [
            (true, ["Listed", "Table", "Marked", "Known"]), (false, ["Marked"]),
        ] {
            for (name, operation) in operations(tagsAll: tagsAll) {
                let responses = try #require(operation["responses"])
                let isTagged = tagged.contains(name)
                for status in ["200", "304"] {
                    let tag = responses[status]?["headers"]?["ETag"]
                    #expect((tag?["schema"] == ["type": "string"]) == isTagged, "\(name) \(status)")
                    #expect((tag == nil) != isTagged, "\(name) \(status)")
                }
                #expect((responses["304"] != nil) == isTagged, "\(name)")
                #expect(responses["304"]?["content"] == nil)
                let refusal = responses["412"]?["content"]?["application/problem+json"]
                #expect((refusal != nil) == isTagged, "\(name)")
                // Once, though an input has it as a member.
                let count = (operation["parameters"]?.array ?? [])
                    .count { $0["name"] == "If-None-Match" }
                #expect(count == (isTagged || name == "Known" ? 1 : 0), "\(name)")
            }
        }
    }

    @Test("has only the declared tags if the server doesn't tag all responses")
    func few() async throws {
        Marked.self <~ { 1 }
        Known.self <~ { _ in 1 }
        var server = Server {
            Marked.self
            Known.self
        }
        for tagsAll in [true, false] {
            server.configuration.entityTags = tagsAll
            let api = try server.description()
            #expect(api["paths"]?["/marked"]?["get"]?["responses"]?["304"] != nil)
            let known = api["paths"]?["/known"]?["get"]?["responses"]
            #expect((known?["304"] != nil) == tagsAll)
            try await serving(server) { site in
                let served = try JSON(parsing: try await site.get("/openapi.json").body)
                #expect(served == api)
                #expect((try await site.get("/known")["ETag"] != nil) == tagsAll)
                #expect(try await site.get("/marked")["ETag"] != nil)
            }
        }
    }

    private static let conditional = [
        "delete /plugs/{action}", "patch /behaviors/{name}", "post /behaviors/{name}/promote",
        "post /behaviors/{name}/publish", "post /behaviors/{name}/rollback",
        "put /behaviors/{name}", "put /plugs/{action}",
    ]

    @Test("has the 412 of conditional changes of documents and plans (RFC 9110 §15.5.13)")
    func changes() throws {
        let folder = try TemporaryFolder()
        var server = Server {}
        server.configuration.dataFolder = folder["data"]
        let paths = try server.description()["paths"]?.object ?? JSON.Object()
        var refusing: [String] = []
        for (path, item) in paths {
            for (method, operation) in item.object ?? JSON.Object()
            where method != "get" && operation["responses"]?["412"] != nil {
                refusing.append("\(method) \(path)")
            }
        }
        #expect(refusing.sorted() == Self.conditional)
    }
}
