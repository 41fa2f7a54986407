import HTTPTypes
import Plug
import PlugHTTP
import PlugboardClient
import Testing

private struct SoldOut: DeclaredProblem, Equatable {
    static let status = HTTPResponse.Status.conflict
    static let type = "https://example.com/problems/sold-out"
    static let title = "Sold out"
    var detail: String?
    var left: Int
}
private struct Unnamed: DeclaredProblem, Equatable {
    static let status = HTTPResponse.Status.conflict
    static let type = "about:blank"
    static let title = "Conflict"
}
private class Buy: Action<Int, Int>, POST {
    static var path: String { "/buy" }
    static var problems: [any DeclaredProblem.Type] { [Unnamed.self, SoldOut.self] }
}

@Suite("Declared problems that a client receives")
struct DeclaredProblemTests {
    private func client(
        _ body: String,
        _ type: String = "application/problem+json"
    ) -> Client {
        Client("http://localhost", transport: CannedTransport(.conflict, type, body))
    }

    @Test("are thrown as their type, also through a plug")
    func declared() async {
        let client = client(
            #"{"type":"https://example.com/problems/sold-out","title":"Sold out","status":409,"#
                + #""detail":"none","left":2,"more":true}"#
        )
        await #expect(throws: SoldOut(detail: "none", left: 2)) {
            try await client.send(Buy.self, 1)
        }
        Buy.self <~ client
        await #expect(throws: SoldOut(detail: "none", left: 2)) { try await action(Buy.self, 1) }
    }

    @Test(
        "are a Problem if the type is different or unnamed, or members are missing",
        arguments: [
            #"{"type":"https://example.com/problems/other","status":409,"left":2}"#,
            #"{"type":"about:blank","status":409}"#, #"{"status":409,"left":2}"#,
            #"{"type":"https://example.com/problems/sold-out","status":409}"#,
            #"{"type":"https://example.com/problems/sold-out","status":409,"left":"2"}"#,
        ]
    )
    func others(body: String) async throws {
        let error = await #expect(throws: Problem.self) {
            try await client(body).send(Buy.self, 1)
        }
        #expect(error?.status == .conflict)
    }

    @Test(
        "are the body of a Problem with only the status if the media type is different (RFC 9457 §3)"
    )
    func otherMediaType() async throws {
        let body = #"{"type":"https://example.com/problems/sold-out","status":409,"left":2}"#
        let error = await #expect(throws: Problem.self) {
            try await client(body, "application/json").send(Buy.self, 1)
        }
        #expect(error?.status == .conflict && error?.type == "about:blank")
        #expect(error?.members.isEmpty == true && error?.body?["left"] == 2)
    }
}
