import Testing

@testable import ContractGenerator

@Suite("Inputs of operations")
struct RequestReaderTests {
    private func parameter(
        _ text: String,
        required: Bool = false,
        at path: String = "/root"
    ) throws
        -> ContractGenerator.Output
    {
        let required = required ? #","required":true"# : ""
        return try Generated.operation("{\"parameters\":[{\(text)\(required)}]}", at: path)
    }

    @Test(
        "a parameter has a member",
        arguments: [
            (#""name":"q","in":"query","schema":{"type":"string"}"#, "var q: String?"),
            (
                #""name":"tag","in":"query","schema":{"type":"array","items":{"type":"string"}}"#,
                "var tag: [String]?"
            ),
            (
                #""name":"tag","in":"query","explode":false,"schema":{"type":"array","items":{"type":"string"}}"#,
                "var tag: String?"
            ),
            (
                #""name":"tag","in":"query","style":"deepObject","schema":{"type":"array","items":{"type":"string"}}"#,
                #"case tag = "tag[]""#
            ),
            (
                #""name":"X-Rate","in":"header","schema":{"type":"integer"}"#,
                #"static var fields: [String: HTTPField.Name] { ["X-Rate": .init("X-Rate")!] }"#
            ),
            (
                #""name":"near","in":"query","style":"deepObject","schema":{"type":"object","properties":{"city":{"type":"string"}}}"#,
                "var near: Near?"
            ),
        ]
    )
    func members(_ text: String, _ line: String) throws {
        let output = try parameter(text)
        #expect(output.has(line), "\(output.text)")
        #expect(output.notes.isEmpty)
    }

    private static let inexpressible = [
        (#""name":"c","in":"cookie","schema":{"type":"string"}"#, "cookie"),
        (#""name":"f","in":"query","content":{"application/json":{}}"#, "media type of its own"),
        (
            #""name":"o","in":"query","schema":{"type":"object","properties":{"a":{"type":"string"}}}"#,
            "deepObject"
        ),
        (
            #""name":"n","in":"query","schema":{"type":"array","items":{"type":"object","properties":{"a":{}}}}"#,
            "nested"
        ),
        (#""name":"Host","in":"header","schema":{"type":"string"}"#, "field of the connection"),
        (#""name":"a b","in":"header","schema":{"type":"string"}"#, "isn't the name of a field"),
        (#""name":"x","in":"body","schema":{"type":"string"}"#, "unknown place"),
    ]

    @Test("an optional parameter without a form is left out", arguments: inexpressible)
    func optional(_ text: String, _ reason: String) throws {
        let output = try parameter(text)
        #expect(output.contracts == 1 && output.leftOut == 0)
        #expect(
            output.notes.count == 1 && output.notes[0].reason.contains(reason),
            "\(output.notes)"
        )
        #expect(output.notes.first?.pointer == "/paths/~1root/get/parameters/0")
    }

    @Test("a required parameter without a form leaves the operation out", arguments: inexpressible)
    func required(_ text: String, _ reason: String) throws {
        let error = #expect(throws: UnusableDescription.self) {
            try parameter(text, required: true)
        }
        #expect(error?.description.contains(reason) == true)
    }

    @Test(
        "a path that no contract can have leaves the operation out",
        arguments: [
            "/a/", "/a//b", "/{a}{b}", "/{a}...{b}", "/{a}:run", "/{+a}", "/{a*}", "/a?b=c", "/a b",
            "a", "/..",
        ]
    )
    func paths(_ path: String) throws {
        #expect(throws: UnusableDescription.self) { try Generated.operation("{}", at: path) }
    }

    @Test("a path's variable may have any name, and one of the body's")
    func captures() throws {
        let dotted = try Generated.operation("{}", at: "/a/{object.name}")
        #expect(
            dotted.has(#"static var path: String { "/a/{key}" }"#)
                && dotted.has("var objectName: String")
        )
        let both = try Generated.operation(
            #"{"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["id"],"properties":{"id":{"type":"integer"}}}}}}}"#,
            "post",
            at: "/a/{id}"
        )
        #expect(both.has(#"static var path: String { "/a/{id2}" }"#))
        #expect(both.has(#"case id = "id2""#) && both.has(#"case id2 = "id""#))
    }

    @Test("a query beside a body is declared, and a name in both leaves the operation out")
    func queries() throws {
        func run(_ name: String) throws -> ContractGenerator.Output {
            try Generated.operation(
                #"{"parameters":[{"name":"\#(name)","in":"query","schema":{"type":"string"}}],"requestBody":{"content":{"application/json":{"schema":{"type":"object","properties":{"a":{"type":"integer"}}}}}}}"#,
                "post"
            )
        }
        #expect(try run("dry").has(#"static var queried: [String] { ["dry"] }"#))
        #expect(throws: UnusableDescription.self) { try run("a") }
    }

    @Test(
        "JSON is preferred to forms, and forms to bytes",
        arguments: [
            (
                #""application/xml":{},"application/json":{"schema":{"type":"array","items":{"type":"string"}}}"#,
                "class Run: Action<[String], Void>, POST {"
            ),
            (#""application/xml":{}"#, "class Run: Action<RequestBody, Void>, POST {"),
            (#""image/png":{}"#, "class Run: Action<RequestBody, Void>, POST {"),
            (
                #""application/x-www-form-urlencoded":{"schema":{"type":"object","properties":{"a":{"type":"string"}}}}"#,
                "try RequestBody(form: body)"
            ),
            (
                #""multipart/form-data":{"schema":{"type":"object","required":["f"],"properties":{"f":{"type":"string","format":"binary"}}}}"#,
                #"form.add("f", self.f)"#
            ),
            (
                #""application/merge-patch+json":{"schema":{"type":"object","properties":{"a":{"type":["string","null"]}}}}"#,
                #"try RequestBody(json: body, mediaType: "application/merge-patch+json")"#
            ),
        ]
    )
    func bodies(_ content: String, _ line: String) throws {
        let output = try Generated.operation(
            "{\"requestBody\":{\"required\":true,\"content\":{\(content)}}}",
            "post"
        )
        #expect(output.has(line), "\(output.text)")
    }

    @Test("a body of a GET or DELETE is left out, and a required one leaves the operation out")
    func bodiesWithoutPlace() throws {
        for method in ["get", "delete"] {
            let content = #""content":{"application/json":{"schema":{"type":"string"}}}"#
            #expect(
                try Generated.operation("{\"requestBody\":{\(content)}}", method).notes.count == 1
            )
            #expect(throws: UnusableDescription.self) {
                try Generated.operation("{\"requestBody\":{\"required\":true,\(content)}}", method)
            }
        }
    }

    @Test("a patch tells null from missing")
    func patches() throws {
        let body =
            #"{"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","properties":{"note":{"type":["string","null"]}}}}}}}"#
        #expect(try Generated.operation(body, "patch").has("var note: Change<String>"))
        #expect(try Generated.operation(body, "put").has("var note: String?"))
    }

    @Test("a required key makes the request repeatable")
    func keys() throws {
        let output = try parameter(
            #""name":"Idempotency-Key","in":"header","schema":{"type":"string"}"#,
            required: true
        )
        #expect(output.has("class Run: Action<Void, Void>, GET, RequiresIdempotencyKey {"))
    }
}
