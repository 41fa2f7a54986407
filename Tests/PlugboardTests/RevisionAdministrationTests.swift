import JSONCodec
import TestLog
import Testing

@Suite("Releases of behaviors over HTTP")
struct RevisionAdministrationTests {
    private let place: BehaviorsPlace

    init() throws { place = try BehaviorsPlace() }

    private func json(_ answer: Answer) throws -> JSON { try JSON(parsing: answer.body) }

    @Test("drafts are published and rolled back, and the history has pages")
    func history() async throws {
        let fields = try await place.fields()
        try await serving(place.server()) { site in
            func put(_ query: String, _ text: String) async throws -> Int {
                try await site.send(
                    "PUT",
                    "/behaviors/default?\(query)",
                    fields: fields,
                    body: text
                ).status
            }
            #expect(try await put("draft=true", BehaviorsPlace.first) == 201)
            let hidden = try await site.get("/behaviors.json")
            #expect(hidden.text == "[]")
            let published = try await site.send(
                "POST",
                "/behaviors/default/publish",
                fields: fields,
                body: #"{"revision": 2}"#
            )
            #expect(published.status == 200)
            #expect(published["ETag"] == "\"2\"")
            let live = try await site.get("/behaviors.json")
            #expect(live.text == BehaviorsPlace.first)
            #expect(try await put("", BehaviorsPlace.second) == 201)
            let back = try await site.send(
                "POST",
                "/behaviors/default/rollback",
                fields: fields,
                body: #"{"message": "Too loud"}"#
            )
            #expect(back.status == 201)
            #expect(try json(back)["revision"] == 4)
            let again = try await site.get("/behaviors.json")
            #expect(again.text == BehaviorsPlace.first)
            func page(_ query: String) async throws -> [JSON?] {
                let answer = try await site.send(
                    "GET",
                    "/behaviors/default/revisions?\(query)",
                    fields: fields
                )
                return try json(answer).array?.map { $0["revision"] } ?? []
            }
            #expect(try await page("") == [4, 3, 2, 1])
            #expect(try await page("limit=2") == [4, 3])
            #expect(try await page("before=2") == [1])
            #expect(try await page("before=1") == [])
        }
        let line = try await place.journal.line(with: "revision 4 of default in production is live")
        #expect(line.contains("notice"))
    }

    @Test("the second of two writers with the same tag gets a 412 (RFC 9110 §13.1.1)")
    func preconditions() async throws {
        let fields = try await place.fields()
        try await serving(place.server(hasFile: false)) { site in
            func put(_ name: String, _ value: String) async throws -> Answer {
                try await site.send(
                    "PUT",
                    "/behaviors/default",
                    fields: fields + [(name, value)],
                    body: BehaviorsPlace.first
                )
            }
            #expect(try await put("If-Match", "*").status == 412)
            #expect(try await put("If-Match", "\"1\"").status == 412)
            #expect(try await put("If-None-Match", "*").status == 201)
            #expect(try await put("If-None-Match", "*").status == 412)
            #expect(try await put("If-Match", "\"1\"").status == 201)
            let late = try await put("If-Match", "\"1\"")
            #expect(late.status == 412)
            #expect(try json(late)["live"] == 2)
            #expect(try await put("If-Match", "W/\"2\"").status == 412)
            #expect(try await put("If-Match", "\"02\"").status == 412)
            #expect(try await put("If-Match", "\"7\", \"2\"").status == 201)
            #expect(try await put("If-Match", "3").status == 400)
            #expect(try await put("If-Match", "\"3").status == 400)
            #expect(try await put("If-Match", "*, \"3\"").status == 400)
            #expect(try await put("If-None-Match", "3").status == 400)
            #expect(try await put("If-None-Match", "\"1\", \"3\"").status == 412)
            #expect(try await put("If-None-Match", "W/\"3\"").status == 412)
            #expect(try await put("If-Match", ", W/\"1\" ,\"a,b\",,\"2\"\t").status == 412)
            #expect(try await put("If-None-Match", "\"1\", \"x\"").status == 201)
            let both = try await site.send(
                "PUT",
                "/behaviors/default",
                fields: fields + [("If-Match", "*"), ("If-None-Match", "\"4\"")],
                body: BehaviorsPlace.first
            )
            #expect(both.status == 412)
            let history = try await site.send(
                "GET",
                "/behaviors/default/revisions",
                fields: fields
            )
            #expect(try json(history).array?.count == 4)
            // The lines of a list are one list (RFC 9110 §5.3).
            for (lines, status) in [(["\"1\"", "\"3\""], 412), (["\"1\"", "\"4\""], 201)] {
                let rollback = try await site.send(
                    "POST",
                    "/behaviors/default/rollback",
                    fields: fields + lines.map { ("If-Match", $0) },
                    body: #"{"revision":1}"#
                )
                #expect(rollback.status == status, "\(rollback.text)")
            }
        }
    }

    @Test("a time in the past is rejected with a pointer")
    func past() async throws {
        let fields = try await place.fields()
        try await serving(place.server()) { site in
            _ = try await site.send("PUT", "/behaviors/default", fields: fields, body: "[]")
            let late = try await site.send(
                "POST",
                "/behaviors/default/schedules",
                fields: fields,
                body: #"{"revision":1,"at":"2025-11-22T18:00:00Z"}"#
            )
            #expect(late.status == 422)
            #expect(try json(late)["errors"]?.array?.first?["pointer"] == "/at")
        }
    }
}
