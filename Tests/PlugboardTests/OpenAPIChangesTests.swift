import JSONCodec
import Testing

@testable import Plugboard

@Suite("Changes of an API")
struct OpenAPIChangesTests {
    private func schema(_ member: JSON, required: Bool = true) -> JSON {
        [
            "type": "object", "properties": ["a": member], "required": required ? ["a"] : [],
        ]
    }

    private func api(sent: JSON, got: JSON) -> JSON {
        [
            "paths": [
                "/x": [
                    "post": [
                        "operationId": "X",
                        "requestBody": ["content": ["application/json": ["schema": sent]]],
                        "responses": ["200": ["content": ["application/json": ["schema": got]]]],
                    ]
                ]
            ]
        ]
    }

    /// Returns the reported changes of a member, in a request and in a response.
    ///
    /// "!" marks those that break clients.
    private func changes(_ old: JSON, _ new: JSON) -> (sent: [String], got: [String]) {
        func told(_ one: JSON, _ other: JSON) -> [String] {
            let changes = OpenAPIChanges(from: one, to: other)
            return changes.breaking.map { "! " + $0 } + changes.harmless
        }
        return (
            told(api(sent: old, got: [:]), api(sent: new, got: [:])),
            told(api(sent: [:], got: old), api(sent: [:], got: new))
        )
    }

    @Test("of an action's problems don't break clients that read any problem")
    func problems() {
        let standard: JSON = ["$ref": "#/components/schemas/Problem"]
        let problem: JSON = ["type": "object", "required": ["type"]]
        func document(_ schema: JSON) -> JSON {
            var document = api(sent: [:], got: schema)
            document["components"] = ["schemas": ["Problem": problem]]
            return document
        }
        let declared: JSON = [
            "anyOf": [
                [
                    "allOf": [standard], "properties": ["left": ["type": "integer"]],
                    "required": ["left"],
                ],
                standard,
            ]
        ]
        for (old, new) in [(standard, declared), (declared, standard), (declared, declared)] {
            let changes = OpenAPIChanges(from: document(old), to: document(new))
            #expect(changes.breaking == [])
        }
    }

    @Test("of a declared problem's members are reported like those of a response")
    func problemMembers() {
        let standard: JSON = ["$ref": "#/components/schemas/Problem"]
        func problems(_ members: JSON, _ required: JSON, type: String = "sold-out") -> JSON {
            var properties = members
            properties["type"] = ["const": .string(type)]
            return [
                "anyOf": [
                    [
                        "title": "Sold out", "allOf": [standard], "properties": properties,
                        "required": required,
                    ],
                    standard,
                ]
            ]
        }
        let old = problems(["left": ["type": "integer"]], ["left"])
        let place = "POST /x, the response 200"
        for (new, changes) in [
            (old, []),
            (problems([:], []), ["! \(place), Sold out no longer has left"]),
            (
                problems(["left": ["type": "string"]], ["left"]),
                ["! \(place), Sold out, left was integer and is string"]
            ),
            (
                problems(["left": ["type": "integer"]], []),
                ["! \(place), Sold out may be without left now"]
            ),
            (standard, ["\(place) is no longer the problem Sold out"]),
            (
                problems([:], [], type: "other"),
                [
                    "\(place) is no longer the problem Sold out",
                    "\(place) may be the problem Sold out now",
                ]
            ),
        ] as [(JSON, [String])] {
            #expect(self.changes(old, new).got == changes)
        }
    }

    @Test("break requests, responses, both or neither")
    func directions() {
        func breaks(_ old: JSON, _ new: JSON) -> [Bool] {
            let changes = changes(old, new)
            return [changes.sent, changes.got].map { $0.contains { $0.hasPrefix("! ") } }
        }
        let text: JSON = ["type": "string"]
        #expect(breaks(schema(text), schema(text)) == [false, false])
        #expect(breaks(schema(text), schema(["type": "integer"])) == [true, true])
        #expect(breaks(schema(text), schema(["type": ["string", "null"]])) == [false, true])
        #expect(breaks(schema(["type": ["string", "null"]]), schema(text)) == [true, false])
        #expect(breaks(schema(text), schema(text, required: false)) == [false, true])
        #expect(breaks(schema(text, required: false), schema(text)) == [true, false])
        #expect(breaks(schema(text), ["type": "object", "properties": [:]]) == [false, true])
        #expect(breaks(["type": "object"], schema(text)) == [true, false])
        #expect(breaks(["type": "object"], schema(text, required: false)) == [false, false])
        let few: JSON = ["type": "string", "enum": ["a"]]
        let more: JSON = ["type": "string", "enum": ["a", "b"]]
        #expect(breaks(schema(few), schema(more)) == [false, true])
        #expect(breaks(schema(more), schema(few)) == [true, false])
        #expect(breaks(schema(text), schema(few)) == [true, false])
        #expect(breaks(schema(few), schema(text)) == [false, true])
        let bounded: JSON = ["type": "string", "maxLength": 5]
        #expect(breaks(schema(text), schema(bounded)) == [true, false])
        #expect(breaks(schema(bounded), schema(text)) == [false, true])
        let one: JSON = ["oneOf": [text]]
        let two: JSON = ["oneOf": [text, ["type": "integer"]]]
        #expect(breaks(schema(one), schema(two)) == [false, true])
        #expect(breaks(schema(two), schema(one)) == [true, false])
        #expect(breaks(schema(one), schema(["oneOf": [bounded]])) == [true, false])
        let closed: JSON = ["type": "object", "additionalProperties": false]
        #expect(breaks(["type": "object"], closed) == [true, false])
        #expect(breaks(closed, ["type": "object"]) == [false, false])
        let least: JSON = ["type": "string", "minLength": 1]
        #expect(breaks(schema(text), schema(least)) == [true, false])
        #expect(breaks(schema(["type": "integer"]), schema(["type": "number"])) == [false, true])
        #expect(breaks(schema(["type": "number"]), schema(["type": "integer"])) == [true, false])
        var both = api(sent: [:], got: [:])
        both["paths"]?["/x"]?["post"]?["requestBody"]?["content"]?["text/csv"] = [:]
        let form = OpenAPIChanges(from: api(sent: [:], got: [:]), to: both)
        #expect(form.breaking.isEmpty)
        #expect(form.harmless == ["POST /x accepts a body of text/csv, which is new"])
        #expect(
            changes(schema(text), schema(bounded)).sent
                == ["! POST /x, the body, a: maxLength was nothing and is 5"]
        )
    }

    @Test("of recursive schemas are found without endless recursion")
    func recursive() {
        let tree: JSON = [
            "type": "object", "properties": ["next": ["$ref": "#/components/schemas/Tree"]],
        ]
        var api = api(sent: ["$ref": "#/components/schemas/Tree"], got: [:])
        api["components"] = ["schemas": ["Tree": tree]]
        let changes = OpenAPIChanges(from: api, to: api)
        #expect(changes.breaking.isEmpty && changes.harmless.isEmpty)
        // A name that stands for nothing but itself.
        api["components"] = ["schemas": ["Tree": ["$ref": "#/components/schemas/Tree"]]]
        let ring = OpenAPIChanges(from: api, to: api)
        #expect(ring.breaking.isEmpty && ring.harmless.isEmpty)
    }

    @Test("don't include renamed parameters of a path")
    func pathNames() {
        func api(_ path: String, _ names: [String]) -> JSON {
            let parameters = names.map { name -> JSON in
                ["name": .string(name), "in": "path", "required": true]
            }
            let operation: JSON = ["parameters": .array(parameters), "responses": [:]]
            return .object(["paths": .object([path: ["get": operation]])])
        }
        let old = api("/x/{id}/y/{at}", ["id", "at"])
        let renamed = OpenAPIChanges(from: old, to: api("/x/{key}/y/{place}", ["place", "key"]))
        #expect(renamed.breaking.isEmpty && renamed.harmless.isEmpty)
        let moved = OpenAPIChanges(from: old, to: api("/x/{id}/z/{at}", ["id", "at"]))
        #expect(moved.breaking == ["GET /x/{id}/y/{at} is gone"])
    }
}
