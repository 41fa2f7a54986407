import JSONCodec
import PlugHTTP

extension OpenAPI {
    /// The kinds of credentials that a server accepts.
    package struct Security: Sendable, Equatable {
        /// Whether it accepts the server's own tokens.
        package var takesTokens = true
        /// Whether it accepts JSON Web Tokens.
        package var takesWebTokens = false
        /// Whether it accepts client certificates.
        package var takesCertificates = false
        /// The scopes that the server's own tokens can have.
        package var declaredScopes: Scopes = []
        /// The places where the application's authenticators expect credentials.
        var places: [Authenticator.Place] = []

        /// The server's own tokens by default.
        package init(
            takesTokens: Bool = true,
            takesWebTokens: Bool = false,
            takesCertificates: Bool = false
        ) {
            self.takesTokens = takesTokens
            self.takesWebTokens = takesWebTokens
            self.takesCertificates = takesCertificates
        }

        /// The kinds of credentials of a server with authenticators of its own.
        init(
            takesTokens: Bool,
            takesWebTokens: Bool,
            takesCertificates: Bool,
            places: [Authenticator.Place]
        ) {
            self.init(
                takesTokens: takesTokens,
                takesWebTokens: takesWebTokens,
                takesCertificates: takesCertificates
            )
            for place in places where !self.places.contains(place) { self.places.append(place) }
        }

        /// Whether it accepts any credentials.
        var takesAny: Bool { takesTokens || takesWebTokens || takesCertificates || !places.isEmpty }

        private var takesBearers: Bool {
            takesTokens || takesWebTokens || !takesCertificates && places.isEmpty
        }

        /// Returns an operation's security requirements, of which a request must meet one.
        func demands(_ scopes: Scopes) -> [JSON] {
            let names = JSON.array(scopes.names.map(JSON.string))
            return (takesBearers ? [["token": names]] : [])
                + (takesCertificates ? [["certificate": names]] : [])
                + places.map { .object([$0.schemeName: names]) }
        }

        var schemes: JSON {
            var schemes = JSON.Object()
            if takesBearers { schemes["token"] = bearer }
            if takesCertificates { schemes["certificate"] = ["type": "mutualTLS"] }
            for place in places { schemes[place.schemeName] = place.scheme }
            return .object(schemes)
        }

        private var bearer: JSON {
            var scheme: JSON.Object = ["type": "http", "scheme": "bearer"]
            // A hint for people (OpenAPI 3.1 §4.8.27). With two formats it would be wrong.
            if takesWebTokens, !takesTokens { scheme["bearerFormat"] = "JWT" }
            if takesWebTokens, takesTokens {
                scheme["description"] = "A token of this server, or a JSON Web Token of its issuer."
            }
            return .object(scheme)
        }
    }
}
