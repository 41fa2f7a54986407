import Foundation
import JSONCodec
import Testing

@testable import ContractGenerator

/// Descriptions and their contracts, as the tests write them.
enum Generated {
    /// Generates the contracts of a description's text, in which `@Pet` is a component's reference.
    static func contracts(
        _ text: String,
        _ options: ContractGenerator.Options = .init()
    ) throws -> ContractGenerator.Output {
        try ContractGenerator.contracts(
            of: JSON(parsing: text.replacing("\"@", with: "\"#/components/schemas/").utf8),
            options
        )
    }

    /// Generates the contracts of schemas, the first of which a GET returns.
    static func schemas(
        _ schemas: String,
        version: String = "3.1.0",
        returns name: String = "Root"
    ) throws -> ContractGenerator.Output {
        try contracts(
            """
            {"openapi":"\(version)","info":{"title":"T","version":"1"},
            "paths":{"/root":{"get":{"operationId":"getRoot","responses":{"200":{"description":"",
            "content":{"application/json":{"schema":{"$ref":"#/components/schemas/\(name)"}}}}}}}},
            "components":{"schemas":\(schemas)}}
            """
        )
    }

    /// Generates the contract of one operation: its JSON without responses, at a path.
    static func operation(
        _ operation: String,
        _ method: String = "get",
        at path: String = "/root"
    ) throws -> ContractGenerator.Output {
        let start = operation.dropFirst()
        let separator = start.hasPrefix("}") ? "" : ","
        return try contracts(
            """
            {"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"\(path)":{"\(method)":
            {"operationId":"run","responses":{"204":{"description":""}}\(separator)\(start)}}}
            """
        )
    }

    /// Generates the contracts of a modelled description in Tests/fixtures/openapi.
    static func fixture(_ name: String) throws -> ContractGenerator.Output {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "fixtures/openapi/\(name).json")
        return try ContractGenerator.contracts(of: JSON(parsing: try Data(contentsOf: file)))
    }
}

extension ContractGenerator.Output {
    /// The file's lines without indentation.
    var lines: [String] {
        text.split(separator: "\n").map { String($0.drop { $0 == " " }) }
    }

    /// Whether the file has a line, regardless of its indentation.
    func has(_ line: String) -> Bool { lines.contains(line) }
}
