import HTTPSyntax
import Plugboard
import Settings

/// The options of `serve` for JSON Web Tokens, which it accepts beside its own bearer tokens.
enum CallerOptions: OptionSection {
    static let title = "Callers"

    static let options = [
        ServeOption(
            "jwks",
            \.webTokens.keys,
            SettingRule("a file, or a URL without a name and a password") {
                !($0.map(RedactedURL.mayHaveUser) ?? false)
            },
            value: "file-or-url",
            hides: { $0.map(RedactedURL.mayHaveSecret) ?? false },
            help: """
                Accepts JSON Web Tokens that are signed with a key of this JSON Web Key Set: a file or \
                an https URL.
                """
        ),
        ServeOption(
            "jwt-issuer",
            \.webTokens.issuer,
            SettingRule(line) { $0.map(Server.Configuration.WebTokens.isLine) ?? true },
            value: "issuer",
            help: "The issuer of the JSON Web Tokens: exactly their iss."
        ),
        ServeOption(
            "jwt-audience",
            \.webTokens.audiences,
            SettingRule("each of them \(line)") {
                $0.allSatisfy(Server.Configuration.WebTokens.isLine)
            },
            value: "audience",
            help: """
                The audience of the JSON Web Tokens: exactly in their aud. If repeated, any one \
                suffices.
                """
        ),
    ]

    private static let line = "a text without control characters"

    /// Sets the JSON Web Tokens; without `--jwks` the server's own stay.
    static func complete(_ values: inout ServeValues, _ settings: SettingsReader) {
        let given = values.webTokens
        guard let keys = given.keys else {
            if given.issuer != nil { settings.reject("jwt-issuer", "needs --jwks") }
            if !given.audiences.isEmpty { settings.reject("jwt-audience", "needs --jwks") }
            return
        }
        // A token for another service must not be valid here (RFC 8725 §3.9).
        if given.issuer == nil { settings.reject("jwks", "needs --jwt-issuer") }
        if given.audiences.isEmpty { settings.reject("jwks", "needs --jwt-audience") }
        var tokens = Server.Configuration.WebTokens(keys: .init(keys), issuer: given.issuer ?? "")
        tokens.audiences = given.audiences
        values.server.webTokens = tokens
    }
}
