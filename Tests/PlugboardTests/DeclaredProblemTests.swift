import JSONCodec
import Plug
import PlugHTTP
import Plugboard
import PlugboardClient
import TestLog
import Testing

private struct SoldOut: DeclaredProblem, Equatable {
    struct Shop: Codable, Sendable, Equatable { var city: String }
    static let status = HTTPResponse.Status.conflict
    static let type = "https://example.com/problems/sold-out"
    static let title = "Sold out"
    var detail: String?
    var left: Int
    var shops: [Shop]
    var until: String?
}
private struct Closed: DeclaredProblem, Equatable {
    static let status = HTTPResponse.Status.conflict
    static let type = "https://example.com/problems/closed"
    static let title = "Closed"
}
private struct Clashing: DeclaredProblem {
    static let status = HTTPResponse.Status.conflict
    static let type = "https://example.com/problems/clashing"
    static let title = "Clashing"
    var detail: String?
    var instance: String?
    var status: Int
}
private struct Unencodable: DeclaredProblem {
    static let status = HTTPResponse.Status.conflict
    static let type = "https://example.com/problems/unencodable"
    static let title = "Unencodable"
    var share: Double
}
private class Buy: Action<Int, Int>, POST {
    static var path: String { "/buy" }
    static var problems: [any DeclaredProblem.Type] { [SoldOut.self, Closed.self] }
}
private class Clash: Action<Void, Int>, POST {
    static var path: String { "/clash" }
    static var problems: [any DeclaredProblem.Type] { [Clashing.self] }
}

@Suite("Problems that an action declares")
struct DeclaredProblemTests {
    private static let soldOut = SoldOut(
        detail: "none left",
        left: 2,
        shops: [SoldOut.Shop(city: "Riga")]
    )

    init() {
        Buy.self <~ { input throws -> Int in
            switch input {
            case 1: throw Self.soldOut
            case 2: throw Closed()
            case 3: throw Problem.conflict("busy")
            case 5: throw Unencodable(share: .nan)
            default: input
            }
        }
        Clash.self <~ { 1 }
    }

    private let server = Server { Buy.self }

    @Test("have their stored members as extension members (RFC 9457 §3.2)")
    func members() async throws {
        try await serving(server) { (site) async throws in
            let answer = try await site.post("/buy", "1")
            #expect(answer.status == 409)
            #expect(answer.mediaType == "application/problem+json")
            #expect(
                answer.text
                    == #"{"detail":"none left","left":2,"shops":[{"city":"Riga"}],"status":409,"#
                    + #""title":"Sold out","type":"https://example.com/problems/sold-out"}"#
            )
            #expect(
                try await site.post("/buy", "2").text
                    == #"{"status":409,"title":"Closed","#
                    + #""type":"https://example.com/problems/closed"}"#
            )
        }
    }

    @Test("are a logged 500 if their members can't be encoded")
    func unencodable() async throws {
        let journal = Journal()
        try await serving(Server(logger: journal.logger) { Buy.self }) { (site) async throws in
            #expect(try await site.post("/buy", "5").status == 500)
        }
        #expect(journal.lines.contains { $0.contains("Buy failed: Unencodable(share: nan)") })
    }

    @Test("are thrown by the client as their types; any other problem is a Problem")
    func client() async throws {
        try await serving(server) { (site) async throws in
            let client = Client(site.url)
            await #expect(throws: Self.soldOut) { try await client.send(Buy.self, 1) }
            await #expect(throws: Closed()) { try await client.send(Buy.self, 2) }
            await #expect(throws: Problem.conflict("busy")) { try await client.send(Buy.self, 3) }
            #expect(try await client.send(Buy.self, 4) == 4)
        }
    }

    @Test("are in the API description with their members, beside any problem of their status")
    func description() {
        @ActionsBuilder var actions: [ExposedAction] { Buy.self }
        let document = OpenAPI.document(of: actions, hasBehaviors: false)
        let responses = document["paths"]?["/buy"]?["post"]?["responses"]
        let standard: JSON = ["$ref": "#/components/schemas/Problem"]
        let conflict = responses?["409"]?["content"]?["application/problem+json"]?["schema"]
        #expect(
            conflict == [
                "anyOf": [
                    [
                        "title": "Sold out", "allOf": [standard],
                        "properties": [
                            "type": ["const": "https://example.com/problems/sold-out"],
                            "left": [
                                "type": "integer", "format": "int64",
                                "minimum": .number(JSON.Number(Int.min)),
                                "maximum": .number(JSON.Number(Int.max)),
                            ],
                            "shops": [
                                "type": "array",
                                "items": ["$ref": "#/components/schemas/SoldOut.Shop"],
                            ],
                            "until": ["type": ["string", "null"]],
                        ],
                        "required": ["left", "shops"],
                    ],
                    standard,
                ]
            ]
        )
        #expect(document["components"]?["schemas"]?["SoldOut.Shop"]?["required"] == ["city"])
        let invalid = responses?["422"]?["content"]?["application/problem+json"]?["schema"]
        #expect(invalid == standard)
    }

    @Test("can't store other members of RFC 9457: each is a start-up error")
    func clashes() async throws {
        let error = await #expect(throws: StartError.self) {
            try await serving(Server { Clash.self }) { _ in }
        }
        #expect(
            error?.problems
                == ["instance", "status"].map {
                    "Clash's problem Clashing stores \($0), which RFC 9457 defines. Rename it"
                }
        )
    }
}
