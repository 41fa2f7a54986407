import JSONCodec
import PlugHTTP

extension OpenAPI {
    /// How callers show who they are.
    package struct Security: Sendable, Equatable {
        /// Whether by the server's own tokens.
        package var takesTokens = true
        /// Whether by JSON Web Tokens.
        package var takesWebTokens = false
        /// Whether by their certificates.
        package var takesCertificates = false

        /// By the server's own tokens unless said otherwise.
        package init(
            takesTokens: Bool = true,
            takesWebTokens: Bool = false,
            takesCertificates: Bool = false
        ) {
            self.takesTokens = takesTokens
            self.takesWebTokens = takesWebTokens
            self.takesCertificates = takesCertificates
        }

        /// Whether there is any way.
        var takesAny: Bool { takesTokens || takesWebTokens || takesCertificates }

        private var takesBearers: Bool { takesTokens || takesWebTokens || !takesCertificates }

        /// What an operation demands: one of these.
        func demands(_ scopes: Scopes) -> [JSON] {
            let names = JSON.array(scopes.names.map(JSON.string))
            return (takesBearers ? [["token": names]] : [])
                + (takesCertificates ? [["certificate": names]] : [])
        }

        var schemes: JSON {
            var schemes = JSON.Object()
            if takesBearers { schemes["token"] = bearer }
            if takesCertificates { schemes["certificate"] = ["type": "mutualTLS"] }
            return .object(schemes)
        }

        private var bearer: JSON {
            var scheme: JSON.Object = ["type": "http", "scheme": "bearer"]
            // A hint for people (OpenAPI 3.1 §4.8.27), and not one where there are two forms.
            if takesWebTokens, !takesTokens { scheme["bearerFormat"] = "JWT" }
            if takesWebTokens, takesTokens {
                scheme["description"] = "A token of this server, or a JSON Web Token of its issuer."
            }
            return .object(scheme)
        }
    }
}
