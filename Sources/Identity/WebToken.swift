import HTTPSyntax
import JSONCodec

/// A JSON Web Token in its compact form (RFC 7519 §3, RFC 7515 §7.1), as it was sent: nothing of it
/// is true before its signature has been checked.
struct WebToken {
    /// The most bytes of a token.
    static let greatestSize = 8192
    /// How deep its JSON may nest.
    private static let depth = 16

    let algorithm: SignatureAlgorithm
    /// The name of the key that it says it is signed with.
    let key: String?
    /// What is signed.
    let message: [UInt8]
    let signature: [UInt8]
    private let payload: [UInt8]

    /// Whether a text may be one: it has two dots, which no other token here has.
    static func isOne(_ text: ByteSpan) -> Bool {
        text.reduce(0) { $1 == UInt8(ascii: ".") ? $0 + 1 : $0 } == 2
    }

    /// Reads a token's head and takes its parts.
    init(_ text: ByteSpan) throws(WebTokenError) {
        guard text.count <= Self.greatestSize else { throw .tooLong }
        guard let first = text.firstIndex(of: UInt8(ascii: ".")),
            let last = text.lastIndex(of: UInt8(ascii: ".")), first < last,
            // Without a signature it says `none`, whatever it says (RFC 7519 §6).
            let head = Base64URL.decode(text.slice(0, first)),
            let payload = Base64URL.decode(text.slice(first + 1, last)),
            let signature = Base64URL.decode(text.slice(last + 1, text.count)),
            let header = try? JSON(parsing: head, depth: Self.depth), header.object != nil
        else { throw .form }
        guard let name = header["alg"]?.string else { throw .form }
        guard let algorithm = SignatureAlgorithm(rawValue: name) else { throw .algorithm }
        // What has to be understood, and isn't (RFC 7515 §4.1.11).
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

    /// Tokens of other types are for other uses, though the same key has signed them (RFC 8725 §3.11,
    /// RFC 9068 §4).
    private static func isType(_ type: String) -> Bool {
        switch type.lowercased() {
        case "jwt", "at+jwt", "application/jwt", "application/at+jwt": true
        default: false
        }
    }

    /// What the token says.
    func claims() throws(WebTokenError) -> JSON {
        guard let claims = try? JSON(parsing: payload, depth: Self.depth), claims.object != nil
        else {
            throw .form
        }
        return claims
    }
}
