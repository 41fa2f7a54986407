import HTTPSyntax
import JSONCodec

/// A parsed JSON Web Token in compact form (RFC 7519 §3, RFC 7515 §7.1).
///
/// Its content isn't trusted before its signature is verified.
struct WebToken {
    /// The maximum size of a token, in bytes.
    static let maximumSize = 8192
    /// The maximum depth of its JSON.
    private static let depth = 16

    let algorithm: SignatureAlgorithm
    /// The key's name in the token's header.
    let key: String?
    /// The signed bytes.
    let message: [UInt8]
    let signature: [UInt8]
    private let payload: [UInt8]

    /// Returns whether a text may be a token: it has two dots, unlike every other kind of token
    /// here.
    static func isOne(_ text: ByteSpan) -> Bool {
        text.reduce(0) { $1 == UInt8(ascii: ".") ? $0 + 1 : $0 } == 2
    }

    /// Splits a token and parses its header.
    init(_ text: ByteSpan) throws(WebTokenError) {
        guard text.count <= Self.maximumSize else { throw .tooLong }
        guard let first = text.firstIndex(of: UInt8(ascii: ".")),
            let last = text.lastIndex(of: UInt8(ascii: ".")), first < last,
            // A token without a signature is unsecured, whatever its `alg` (RFC 7519 §6).
            let head = Base64URL.decode(text.slice(0, first)),
            let payload = Base64URL.decode(text.slice(first + 1, last)),
            let signature = Base64URL.decode(text.slice(last + 1, text.count)),
            let header = try? JSON(parsing: head, depth: Self.depth), header.object != nil
        else { throw .form }
        guard let name = header["alg"]?.string else { throw .form }
        guard let algorithm = SignatureAlgorithm(rawValue: name) else { throw .algorithm }
        // Critical extensions must be understood; none is supported (RFC 7515 §4.1.11).
        guard header["crit"] == nil else { throw .critical }
        if let type = header["typ"] {
            guard let type = type.string, Self.isType(type) else { throw .type }
        }
        let key = header["kid"]?.string
        if header["kid"] != nil, key == nil { throw .form }
        self.algorithm = algorithm
        self.key = key
        self.payload = payload
        self.signature = signature
        message = Array(text.slice(0, last))
    }

    /// Returns whether a type is for access.
    ///
    /// Other types are for other uses, even if signed with the same key (RFC 8725 §3.11, RFC 9068
    /// §4).
    private static func isType(_ type: String) -> Bool {
        switch type.lowercased() {
        case "jwt", "at+jwt", "application/jwt", "application/at+jwt": true
        default: false
        }
    }

    /// Parses the token's claims.
    func claims() throws(WebTokenError) -> JSON {
        guard let claims = try? JSON(parsing: payload, depth: Self.depth), claims.object != nil
        else {
            throw .form
        }
        return claims
    }
}
