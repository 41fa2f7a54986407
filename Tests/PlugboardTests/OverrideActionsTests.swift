import BehaviorStore
import Foundation
import HTTPTypes
import Identity
import JSONCodec
import PlugHTTP
import Plugboard
import PlugboardClient
import Storage
import TestLog
import Testing

@Suite("Overrides of promoted revisions")
struct OverrideActionsTests {
    private let folder: TemporaryFolder
    private static let document =
        #"[{"name":"Config","actions":[{"func":"base","value":"https://staging"}]}]"#
    private static let patch =
        #"[{"op":"replace","path":"/0/actions/0/value","value":"https://production"}]"#

    init() throws { folder = try TemporaryFolder() }

    private func serving(_ body: (Site) async throws -> Void) async throws {
        var server = Server(behaviors: nil, logger: Journal().logger)
        server.configuration.dataFolder = folder["data"]
        try await PlugboardTests.serving(server, body)
    }

    private func fields(
        _ scopes: Scopes = ["behaviors:read", "behaviors:write"]
    ) async throws -> [(String, String)] {
        let made = try await TokenStore(Storage.of(folder["data"]))
            .create(name: "ada", scopes: scopes)
        return [
            ("Authorization", "Bearer \(made.text)"), ("Content-Type", "application/json"),
        ]
    }

    private func json(_ answer: Answer) throws -> JSON { try JSON(parsing: answer.body) }

    @Test("a promotion applies the environment's overrides")
    func promotion() async throws {
        let fields = try await fields()
        try await serving { site in
            let target = "/behaviors/default/overrides"
            let nothing = try await site.send("GET", target, fields: fields)
            #expect(nothing.status == 404)
            let set = try await site.send(
                "PUT",
                target + "?environment=production",
                fields: fields,
                body: #"{"patch":\#(Self.patch)}"#
            )
            #expect(set.status == 200, "\(set.text)")
            #expect(try json(set)["byName"] == "ada")
            let known = try await site.send("GET", target, fields: fields)
            #expect(known.text == set.text)
            #expect(try json(known)["patch"] == JSON(parsing: Self.patch.utf8))
            let elsewhere = try await site.send(
                "GET",
                target + "?environment=staging",
                fields: fields
            )
            #expect(elsewhere.status == 404)
            _ = try await site.send(
                "PUT",
                "/behaviors/default?environment=staging&create=true",
                fields: fields,
                body: Self.document
            )
            // By the name that an environment has everywhere, as a draft, upon what is live there.
            for (query, field, status) in [
                ("environment=staging&draft=true", nil, 201), ("environment=none", nil, 404),
                ("environment=staging", "\"9\"", 412),
            ] {
                let answer = try await site.send(
                    "POST",
                    "/behaviors/default/promote?\(query)",
                    fields: fields + (field.map { [("If-Match", $0)] } ?? []),
                    body: #"{"to":"qa","create":true}"#
                )
                #expect(answer.status == status, "\(query): \(answer.text)")
                if status == 201 { #expect(try json(answer)["state"] == "draft") }
            }
            func promote(_ overrides: String = "") async throws -> Answer {
                try await site.send(
                    "POST",
                    "/behaviors/default/promote",
                    fields: fields,
                    body: #"{"from":"staging","to":"production"\#(overrides)}"#
                )
            }
            for (query, status) in [
                ("promotedTo=production", 200), ("promotedTo=staging", 409),
                ("promotedTo=none", 404), ("promotedTo=N", 422),
            ] {
                let preview = try await site.send(
                    "GET",
                    "/behaviors/default/revisions/1?environment=staging&\(query)",
                    fields: fields
                )
                #expect(preview.status == status, "\(query): \(preview.text)")
                if status == 200 {
                    #expect(
                        preview.text == Self.document.replacing("staging", with: "production")
                    )
                }
            }
            #expect(try await site.get("/behaviors.json").status == 404)
            let promoted = try await promote()
            #expect(promoted.status == 201, "\(promoted.text)")
            #expect(
                try json(promoted)["origin"]
                    == ["environment": "staging", "overridden": true, "revision": 1]
            )
            var served = try await site.get("/behaviors.json")
            #expect(served.text == Self.document.replacing("staging", with: "production"))
            let history = try await site.send(
                "GET",
                "/behaviors/default/revisions",
                fields: fields
            )
            #expect(try json(history).array?.first?["origin"] == json(promoted)["origin"])
            let once = try await promote(
                #","overrides":\#(Self.patch.replacing("production", with: "eu"))"#
            )
            #expect(once.status == 201)
            served = try await site.get("/behaviors.json")
            #expect(served.text == Self.document.replacing("staging", with: "eu"))
            let unfitting = try await promote(#","overrides":[{"op":"remove","path":"/0/nope"}]"#)
            #expect(unfitting.status == 409)
            #expect(try json(unfitting)["errors"]?.array?.first?["pointer"] == "/0/nope")
            let malformed = try await promote(#","overrides":[{"op":"fly"}]"#)
            #expect(malformed.status == 422)
            #expect(try json(malformed)["errors"]?.array?.first?["pointer"] == "/overrides/0/op")
            let invalid = try await promote(#","overrides":[{"op":"remove","path":"/0/name"}]"#)
            #expect(invalid.status == 422)
            #expect(try json(invalid)["errors"]?.array?.first?["pointer"] == "/0/name")
            let last = try await site.get("/behaviors.json")
            #expect(last["ETag"] == served["ETag"])
            let removed = try await site.send("DELETE", target, fields: fields)
            #expect(removed.status == 204)
            let again = try await site.send("DELETE", target, fields: fields)
            #expect(again.status == 404)
            _ = try await promote()
            served = try await site.get("/behaviors.json")
            #expect(served.text == Self.document)
        }
    }

    @Test("a result that is too large is a 422, as for a patch (RFC 5789 §2.2)")
    func large() async throws {
        let fields = try await fields()
        try await serving { site in
            let value = String(repeating: "x", count: 600_000)
            let put = try await site.send(
                "PUT",
                "/behaviors/default?environment=staging&create=true",
                fields: fields,
                body: Self.document.replacing("https://staging", with: value)
            )
            #expect(put.status == 201)
            let copy = #"[{"op":"copy","from":"/0","path":"/-"}]"#
            let promoted = try await site.send(
                "POST",
                "/behaviors/default/promote",
                fields: fields,
                body: #"{"from":"staging","to":"production","overrides":\#(copy)}"#
            )
            let patched = try await site.send(
                "PATCH",
                "/behaviors/default?environment=staging",
                fields: fields.map { name, value in
                    (name, name == "Content-Type" ? "application/json-patch+json" : value)
                },
                body: copy
            )
            #expect(promoted.status == 422 && patched.status == 422, "\(promoted.text)")
            #expect(try json(promoted)["errors"] == json(patched)["errors"])
            let nothing = try await site.get("/behaviors.json")
            #expect(nothing.status == 404)
        }
    }

    @Test(
        "an invalid patch is rejected with a pointer",
        arguments: [
            ("{}", "/patch"), (#"{"patch":null}"#, "/patch"), (#"{"patch":{}}"#, "/patch"),
            (#"{"patch":[1]}"#, "/patch/0"),
            (#"{"patch":[{"op":"add","path":"x"}]}"#, "/patch/0/path"),
        ]
    )
    func malformed(body: String, pointer: String) async throws {
        let fields = try await fields()
        try await serving { site in
            let target = "/behaviors/default/overrides"
            let refused = try await site.send("PUT", target, fields: fields, body: body)
            #expect(refused.status == 422, "\(refused.text)")
            #expect(try json(refused)["errors"]?.array?.first?["pointer"]?.string == pointer)
            let nothing = try await site.send("GET", target, fields: fields)
            #expect(nothing.status == 404)
        }
    }

    @Test("reading and changing overrides requires their scopes, and names are validated")
    func scopes() async throws {
        let reader = try await fields(["behaviors:read"])
        let writer = try await fields(["behaviors:write"])
        try await serving { site in
            let target = "/behaviors/default/overrides"
            for (method, body) in [("GET", nil), ("PUT", #"{"patch":[]}"#), ("DELETE", nil)]
                as [(String, String?)]
            {
                let nobody = try await site.send(
                    method,
                    target,
                    fields: [("Content-Type", "application/json")],
                    body: body
                )
                #expect(nobody.status == 401)
                let other = try await site.send(
                    method,
                    target,
                    fields: method == "GET" ? writer : reader,
                    body: body
                )
                #expect(other.status == 403)
                let name = try await site.send(
                    method,
                    "/behaviors/A/overrides",
                    fields: method == "GET" ? reader : writer,
                    body: body
                )
                #expect(name.status == 400)
            }
        }
    }
}
