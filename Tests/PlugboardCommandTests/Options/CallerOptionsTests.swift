import Plugboard
import Testing

@testable import PlugboardCommand

@Suite("The options for JSON Web Tokens")
struct CallerOptionsTests {
    @Test("keys, an issuer and audiences are set together")
    func complete() throws {
        let arguments = [
            "--jwks", "keys.json", "--jwt-issuer", "https://i.example",
            "--jwt-audience", "a", "--jwt-audience", "b",
        ]
        let tokens = try configuration(arguments).webTokens
        #expect(tokens?.issuer == "https://i.example" && tokens?.audiences == ["a", "b"])
        #expect(try configuration([]).webTokens == nil)
    }

    @Test("a list in the environment is separated by commas")
    func environment() throws {
        let tokens = try configuration(
            ["--jwks", "keys.json"],
            environment: ["PLUGBOARD_JWT_ISSUER": "i", "PLUGBOARD_JWT_AUDIENCE": "a, b"]
        ).webTokens
        #expect(tokens?.audiences == ["a", "b"])
    }

    // A token for another service must not be valid here (RFC 8725 §3.9).
    @Test("an issuer and an audience are mandatory")
    func mandatory() throws {
        #expect(
            try problems(["--jwks", "keys.json"])
                == ["--jwks: needs --jwt-issuer", "--jwks: needs --jwt-audience"]
        )
        #expect(
            try problems(["--jwt-issuer", "i", "--jwt-audience", "a"])
                == ["--jwt-issuer: needs --jwks", "--jwt-audience: needs --jwks"]
        )
    }

    @Test("a URL with a password and a control character are rejected, without the value")
    func invalid() throws {
        let problems = try problems([
            "--jwks", "https://ada:s3cret@a.example/keys", "--jwt-issuer", "a\nb",
            "--jwt-audience", "a\u{7F}",
        ])
        #expect(
            problems.prefix(1)
                == ["--jwks: expected a file, or a URL without a name and a password"]
        )
        #expect(!problems.joined().contains("s3cret"))
        #expect(problems.contains { $0.hasPrefix("--jwt-issuer: expected a text without") })
        #expect(problems.contains { $0.hasPrefix("--jwt-audience: expected each of them") })
    }
}
