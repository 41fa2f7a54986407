public import PlugHTTP

extension Server.Configuration.TLS {
    /// The scopes of callers with a client certificate, by the certificates' names.
    ///
    /// ```swift
    /// tls.clientScopes = ["spiffe://example/billing": ["photos:read"], "CN=ada,O=Example": .admin]
    /// ```
    /// A name has its kind as OpenSSL prints it: `URI:…`, `email:…`, `DNS:…`, or a subject. Without
    /// a prefix the form decides: `CN=ada` is a subject, a name with a scheme a URI, one with an `@`
    /// an email address, any other a host name. Names are equal if their bytes are.
    public struct ClientScopes: Sendable, ExpressibleByDictionaryLiteral {
        /// The names with their scopes; a name may occur several times.
        private(set) var entries: [(name: String, scopes: Scopes)] = []

        /// Creates a list without names.
        public init() {}

        /// Creates a list from names with scopes.
        public init(dictionaryLiteral elements: (String, Scopes)...) {
            entries = elements.map { ($0.0, $0.1) }
        }

        /// Whether no name has scopes.
        public var isEmpty: Bool { entries.isEmpty }

        /// Gives scopes to a name, beside those that it has.
        public mutating func grant(_ scopes: Scopes, to name: String) {
            entries.append((name, scopes))
        }
    }
}

extension Server.Configuration.TLS.ClientScopes: Equatable {
    /// Whether the names have the same bytes, in the same order, and the scopes are equal.
    public static func == (left: Self, right: Self) -> Bool {
        left.entries.elementsEqual(right.entries) {
            $0.name.utf8.elementsEqual($1.name.utf8) && $0.scopes == $1.scopes
        }
    }
}
