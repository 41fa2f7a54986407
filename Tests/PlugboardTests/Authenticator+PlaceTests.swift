import Plug
import PlugHTTP
import Testing

@testable import Plugboard

private class WhoAmI: Action<Void, String>, GET, Scoped {
    static var path: String { "/who" }
    static var scopes: Scopes { ["photos:read"] }
}

@Suite("Places of credentials, in descriptions and at the start")
struct AuthenticatorPlaceTests {
    init() { WhoAmI.self <~ { "" } }

    private func server(_ authenticators: [Authenticator]) -> Server {
        Server(authenticators: authenticators) { WhoAmI.self }
    }

    @Test("the API's description lists them")
    func described() throws {
        let document = try server([
            .apiKeys, Sessions().cookies, Authenticator(.bearer) { _ in nil },
        ])
        .description()
        let schemes = document["components"]?["securitySchemes"]
        #expect(schemes?["X-API-Key"] == ["type": "apiKey", "in": "header", "name": "X-API-Key"])
        #expect(
            schemes?["cookie-session"] == ["type": "apiKey", "in": "cookie", "name": "session"]
        )
        #expect(schemes?["http-bearer"] == ["type": "http", "scheme": "bearer"])
        #expect(schemes?["token"] == nil)
        #expect(
            document["paths"]?["/who"]?["get"]?["security"]
                == [
                    ["X-API-Key": ["photos:read"]], ["cookie-session": ["photos:read"]],
                    ["http-bearer": ["photos:read"]],
                ]
        )
    }

    @Test(
        "an invalid name or challenge keeps the server from starting",
        arguments: [
            Authenticator(.header("X Key")) { _ in nil }, Authenticator(.cookie("")) { _ in nil },
            Authenticator(.authorization("Ünï")) { _ in nil },
            Authenticator(.header("X-Key"), challenge: "") { _ in nil },
            Authenticator(.header("X-Key"), challenge: "Key\r\nX: y") { _ in nil },
        ]
    )
    func wrong(authenticator: Authenticator) {
        #expect { try server([authenticator]).start() } throws: {
            ($0 as? StartError)?.problems.count == 1 && "\($0)".contains("invalid")
        }
    }
}
