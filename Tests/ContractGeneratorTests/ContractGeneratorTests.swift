import JSONCodec
import Testing

@testable import ContractGenerator

@Suite("Contracts of descriptions")
struct ContractGeneratorTests {
    @Test(
        "another format or version is an error with the remedy",
        arguments: [
            ("[]", "JSON object"), ("{}", "openapi"), (#"{"swagger":"2.0"}"#, "swagger2openapi"),
            (#"{"openapi":"3.2.0"}"#, "3.0 and 3.1"), (#"{"openapi":"4"}"#, "3.0 and 3.1"),
            (#"{"openapi":3.1}"#, "openapi"), (#"{"openapi":"3.1.0","paths":[]}"#, "/paths"),
            (#"{"openapi":"3.1.0"}"#, "No contract"),
            (#"{"openapi":"3.1.0","paths":{"/a":7}}"#, "No contract"),
        ]
    )
    func unusable(_ text: String, _ message: String) {
        let error = #expect(throws: UnusableDescription.self) { try Generated.contracts(text) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test(
        "each modelled description has its contracts",
        arguments: [
            ("codehost", 8, 1), ("payments", 5, 0), ("pets", 9, 1), ("chat", 6, 0),
            ("storage", 7, 4),
        ]
    )
    func fixtures(_ name: String, _ contracts: Int, _ leftOut: Int) throws {
        let output = try Generated.fixture(name)
        #expect(output.contracts == contracts && output.leftOut == leftOut)
        #expect(output.lines.filter { $0.hasPrefix("class ") }.count == contracts)
        #expect(try Generated.fixture(name) == output, "the same description makes the same text")
    }

    @Test(
        "responses decide the output",
        arguments: [
            (#""204":{"description":""}"#, "Void"), (#""200":{"description":""}"#, "Void"),
            (
                #""201":{"description":"","content":{"application/json":{"schema":{"type":"string"}}}}"#,
                "String"
            ),
            (
                #""200":{"description":"","content":{"application/json":{"schema":{"type":"string"}}}},"204":{"description":""}"#,
                "String?"
            ),
            (
                #""200":{"description":"","content":{"application/json":{"schema":{"type":"string"}}}},"201":{"description":"","content":{"application/json":{"schema":{"type":"integer"}}}}"#,
                "JSON"
            ),
            (#""200":{"description":"","content":{"text/event-stream":{}}}"#, "EventStream"),
            (
                #""200":{"description":"","content":{"application/jsonl":{"schema":{"type":"integer"}}}}"#,
                "JSONLines<Int>"
            ),
            (#""200":{"description":"","content":{"text/csv":{}}}"#, "ResponseBody"),
            (
                #""2XX":{"description":"","content":{"application/vnd.a+json":{"schema":{"type":"integer"}}}}"#,
                "Int"
            ),
            (
                #""default":{"description":"","content":{"application/json":{"schema":{"type":"integer"}}}}"#,
                "Int"
            ),
        ]
    )
    func outputs(_ responses: String, _ type: String) throws {
        let output = try Generated.contracts(
            "{\"openapi\":\"3.1.0\",\"paths\":{\"/a\":{\"get\":{\"operationId\":\"run\",\"responses\":{\(responses)}}}}}"
        )
        #expect(output.has("class Run: Action<Void, \(type)>, GET {"), "\(output.text)")
    }

    @Test("without a successful response there is no contract")
    func redirects() {
        #expect(throws: UnusableDescription.self) {
            try Generated.contracts(
                #"{"openapi":"3.1.0","paths":{"/a":{"get":{"responses":{"302":{"description":""}}}}}}"#
            )
        }
    }

    @Test("missing and equal ids get names of their own, also beside schemas")
    func names() throws {
        let get = #""get":{"responses":{"204":{"description":""}}}"#
        let named =
            #"{"operationId":"Pet","responses":{"200":{"description":"","content":{"application/json":{"schema":{"$ref":"@Pet"}}}}}}"#
        let output = try Generated.contracts(
            """
            {"openapi":"3.1.0","paths":{"/a/{id}":{\(get)},"/a/by-id":{\(get)},"/p":{"get":\(named),"put":\(named)}},
            "components":{"schemas":{"Pet":{"type":"object","properties":{"id":{"type":"integer"}}}}}}
            """
        )
        let classes = output.lines.filter { $0.hasPrefix("class ") }.map { $0.prefix { $0 != ":" } }
        #expect(
            classes == ["class GetAById", "class GetAById2", "class PetAction", "class PetAction2"]
        )
        #expect(output.has("struct Pet: Codable, Hashable, Sendable {"))
    }

    private static let attacks = [
        "\"; import Glibc; exit(1) //", "*/ import Glibc /*", "\n}\nimport Glibc\n", "\\(exit(1))",
        "`; exit(1); `",
        "\r\nimport Glibc\r\n", "\u{2028}import Glibc", "\"\"\"", "#if true", "\u{202E}", "a\u{0}b",
    ]

    @Test("no text of a description becomes code", arguments: attacks)
    func injection(_ text: String) throws {
        let value = JSON.string(text)
        let schema: JSON = [
            "type": "object", "description": value, "required": [value],
            "properties": .object([
                text: ["type": "string", "const": value],
                "e": ["enum": [value, "x"], "description": value],
            ]),
        ]
        let operation: JSON = [
            "operationId": value, "summary": value, "description": value, "deprecated": true,
            "parameters": [
                [
                    "name": value, "in": "query", "description": value,
                    "schema": ["type": "string", "default": value],
                ]
            ],
            "responses": [
                "200": [
                    "description": value,
                    "content": ["application/json": ["schema": ["$ref": "#/components/schemas/S"]]],
                ]
            ],
        ]
        let output = try ContractGenerator.contracts(
            of: [
                "openapi": "3.1.0", "info": ["title": value, "version": value],
                "servers": [["url": value]],
                "paths": ["/a": ["get": operation]],
                "components": [
                    "schemas": ["S": schema],
                    "securitySchemes": .object([
                        text: ["type": "apiKey", "in": "header", "name": value]
                    ]),
                ],
            ]
        )
        // Outside of comments and literals there are only words of the generator and of identifiers.
        for line in output.lines where !line.hasPrefix("//") {
            let code = Self.withoutLiterals(line)
            #expect(!code.contains("Glibc") || !code.contains("import "), "\(line)")
            #expect(
                !code.contains("exit(") && !code.contains("#") && !code.contains("*/"),
                "\(line)"
            )
            #expect(
                !code.unicodeScalars.contains {
                    $0.value < 0x20 || $0.value == 0x202E || $0.value == 0x2028
                }
            )
        }
        #expect(output.lines.filter { $0.hasPrefix("import ") } == ["import PlugboardClient"])
    }

    /// The line without its string literals.
    private static func withoutLiterals(_ line: String) -> String {
        var code = ""
        var isLiteral = false
        var isEscaped = false
        for character in line {
            if isLiteral {
                if isEscaped {
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else if character == "\"" {
                    isLiteral = false
                }
            } else if character == "\"" {
                isLiteral = true
            } else {
                code.append(character)
            }
        }
        return code
    }

    @Test("a selection has tags, ids and beginnings of paths")
    func selection() throws {
        func contracts(_ only: String...) throws -> Int {
            let get = #"{"operationId":"a","tags":["t"],"responses":{"204":{"description":""}}}"#
            let other = get.replacing("\"a\"", with: "\"b\"").replacing("\"t\"", with: "\"u\"")
            let text =
                "{\"openapi\":\"3.0.0\",\"paths\":{\"/x\":{\"get\":\(get)},\"/x/y\":{\"get\":\(other)}}}"
            return try Generated.contracts(text, .init(only: only)).contracts
        }
        #expect(try contracts() == 2)
        #expect(try contracts("t") == 1)
        #expect(try contracts("b") == 1)
        #expect(try contracts("/x") == 2)
        #expect(try contracts("/x/y") == 1)
        #expect(try contracts("t", "b") == 2)
        #expect(throws: UnusableDescription.self) { try contracts("z") }
        #expect(throws: UnusableDescription.self) { try contracts("t", "none") }
    }

    @Test("a description that grows with each use has a limit")
    func growth() throws {
        // Each schema has two copies of the next one: 2^30 uses without a limit.
        let schemas = (0..<30).map { index in
            let part = #"{"allOf":[{"$ref":"@S\#(index + 1)"},{"$ref":"@S\#(index + 1)"}]}"#
            return
                "\"S\(index)\":{\"type\":\"object\",\"properties\":{\"a\":\(part),\"b\":\(part)}}"
        }
        let text = "{\(schemas.joined(separator: ",")),\"S30\":{\"type\":\"string\"}}"
        let error = #expect(throws: UnusableDescription.self) {
            try Generated.schemas(text, returns: "S0")
        }
        #expect(error?.description.contains("--only") == true)
    }

    @Test("too many operations are an error with the remedy")
    func operations() throws {
        let paths = (0...ContractGenerator.maximumOperations).map {
            "\"/p\($0)\":{\"get\":{\"responses\":{\"204\":{\"description\":\"\"}}}}"
        }
        let text = "{\"openapi\":\"3.0.0\",\"paths\":{\(paths.joined(separator: ","))}}"
        let error = #expect(throws: UnusableDescription.self) { try Generated.contracts(text) }
        #expect(error?.description.contains("--only") == true)
        #expect(try Generated.contracts(text, .init(only: ["/p7"])).contracts == 1)
    }

    @Test("public contracts can be used by other modules")
    func access() throws {
        let text =
            #"{"openapi":"3.0.0","paths":{"/a":{"get":{"operationId":"a","responses":{"204":{"description":""}}}}}}"#
        let output = try Generated.contracts(text, .init(isPublic: true))
        #expect(output.has("open class A: Action<Void, Void>, GET {"))
        #expect(output.has("public import PlugboardClient"))
        #expect(output.has(#"public static var path: String { "/a" }"#))
    }

    @Test("errors are named, and declared problems have types")
    func errors() throws {
        let output = try Generated.contracts(
            #"""
            {"openapi":"3.1.0","paths":{"/a":{"get":{"operationId":"run","responses":{"204":{"description":""},
            "404":{"description":"","content":{"application/json":{"schema":{"$ref":"@E"}}}},
            "409":{"description":"","content":{"application/problem+json":{"schema":{"anyOf":[{"title":"Sold out",
            "properties":{"type":{"const":"https://example.com/sold-out"},"left":{"type":"integer"}},"required":["left"]}]}}}}}}}},
            "components":{"schemas":{"E":{"type":"object","properties":{"message":{"type":"string"}}}}}}
            """#
        )
        #expect(output.has("/// - 404: `Problem`, whose `body` is `E`."))
        #expect(output.has("struct SoldOut: DeclaredProblem, Hashable {"))
        #expect(output.has("static var problems: [any DeclaredProblem.Type] { [SoldOut.self] }"))
    }
}
