import Foundation
import PlugHTTP
import Plugboard

extension Authenticator {
    /// API keys in memory.
    static let apiKeys = Authenticator(.header("X-API-Key")) { key in
        switch key.text {
        case "k1": Caller(id: "key-1", name: "billing", scopes: ["photos:read"])
        case "k2": Caller(id: "key-2", name: "shipping", scopes: ["photos:read"])
        case "other", "another": nil
        case "empty": Caller(id: "")
        case "certificate": Caller(id: "certificate CN=root", name: "root")
        case "server": Caller(id: "server")
        case "file": Caller(id: "file")
        case "busy": throw Problem.tooManyRequests("slow down")
        case "down": throw Problem.serviceUnavailable("the keys are unavailable")
        default: throw Problem.unauthorized("the key is unknown")
        }
    }
}

/// The application's own store of sessions. Two of them belong to ada.
actor Sessions {
    private var callers: [String: Caller] = [
        "s1": Caller(id: "u1", name: "ada", scopes: ["editor"]),
        "s1-phone": Caller(id: "u1", name: "ada", scopes: ["editor"]),
        "s2": Caller(id: "u2", name: "bob", scopes: ["other"]),
        "s3": Caller(id: "u3", name: "eve", scopes: ["editor"]),
        "root": Caller(id: "root-1", name: "root", scopes: ["admin", "audit:read"]),
    ]
    private(set) var lookups = 0

    private func caller(_ session: String) throws -> Caller {
        lookups += 1
        // The error of a driver, which declares no response.
        if session == "down" { throw CocoaError(.fileReadUnknown) }
        guard let caller = callers[session] else {
            throw Problem.unauthorized("the session has ended")
        }
        return caller
    }

    func end(_ session: String) { callers[session] = nil }

    /// The cookies of these sessions.
    nonisolated var cookies: Authenticator {
        Authenticator(.cookie("session")) { cookie in try await self.caller(cookie.text) }
    }
}

/// The fields of a request with a session's cookie.
func cookie(_ session: String) -> (String, String) { ("Cookie", "session=\(session)") }

/// The fields of a request with an API key.
func apiKey(_ key: String) -> (String, String) { ("X-API-Key", key) }

extension Answer {
    /// The values of all `WWW-Authenticate`.
    var challenges: [String] {
        fields.filter { $0.name.lowercased() == "www-authenticate" }.map(\.value)
    }
}
