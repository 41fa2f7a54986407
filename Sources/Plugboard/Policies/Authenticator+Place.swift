import HTTPSyntax
import JSONCodec

extension Authenticator.Place {
    /// Credentials at a place of a request.
    enum Found {
        case missing
        /// The place has several values, of which another program may read another one.
        case several
        case text(ByteSpan)
    }

    /// The challenge of an authenticator without its own.
    ///
    /// No scheme is registered for fields and cookies. RFC 9110 §11.6.1 requires a challenge.
    var challenge: String {
        switch self {
        case .authorization(let scheme): #"\#(scheme) realm="plugboard""#
        case .header(let name): #"ApiKey realm="plugboard", header="\#(name)""#
        case .cookie(let name): #"Cookie realm="plugboard", cookie-name="\#(name)""#
        }
    }

    /// The name of the field that has the credentials.
    var field: String {
        switch self {
        case .authorization: "Authorization"
        case .header(let name): name
        case .cookie: "Cookie"
        }
    }

    /// The place in words.
    var words: String {
        switch self {
        case .authorization(let scheme): "Authorization: \(scheme)"
        case .header(let name): "the field \(name)"
        case .cookie(let name): "the cookie \(name)"
        }
    }

    /// The scheme's name in an API description.
    var schemeName: String {
        switch self {
        case .authorization(let scheme): "http-\(scheme.lowercased())"
        case .header(let name): name
        case .cookie(let name): "cookie-\(name)"
        }
    }

    /// The security scheme in an API description (OpenAPI 3.1 §4.8.27).
    var scheme: JSON {
        switch self {
        case .authorization(let scheme):
            ["type": "http", "scheme": .string(scheme.lowercased())]
        case .header(let name): ["type": "apiKey", "in": "header", "name": .string(name)]
        case .cookie(let name): ["type": "apiKey", "in": "cookie", "name": .string(name)]
        }
    }

    /// The reason why the name is invalid; nil if it is a token (RFC 9110 §5.6.2).
    var problem: String? {
        let name =
            switch self {
            case .authorization(let name), .header(let name), .cookie(let name): name
            }
        let isToken = !name.isEmpty && name.utf8.allSatisfy(ByteClass.isToken)
        return isToken ? nil : "an authenticator has an invalid name: \"\(name)\""
    }

    // MARK: Reading

    /// Returns the credentials in a request's head; an empty value is missing.
    func find(in head: RequestHead) -> Found {
        switch self {
        case .authorization(let scheme):
            Self.value(of: "Authorization", in: head) { Self.credentials($0, of: scheme) }
        case .header(let name): Self.value(of: name, in: head) { $0 }
        case .cookie(let name): Self.cookie(name, in: head)
        }
    }

    /// Returns the part of the only field of a name that `part` selects.
    private static func value(
        of field: String,
        in head: RequestHead,
        _ part: (ByteSpan) -> ByteSpan?
    ) -> Found {
        var found = Found.missing
        for line in head.fields where line.name.has(text: field, ignoringCase: true) {
            guard case .missing = found else { return .several }
            guard let value = part(line.value), !value.isEmpty else { continue }
            found = .text(value)
        }
        return found
    }

    /// Returns the credentials after a scheme, whose name is case-insensitive (RFC 9110 §11.1).
    private static func credentials(_ value: ByteSpan, of scheme: String) -> ByteSpan? {
        let end = value.firstIndex(of: 0x20) ?? value.count
        guard value.slice(0, end).has(text: scheme, ignoringCase: true) else { return nil }
        return value.slice(end, value.count).trimmed
    }

    /// Returns a cookie's value; HTTP/2 may split the field (RFC 9113 §8.2.3).
    private static func cookie(_ name: String, in head: RequestHead) -> Found {
        var found = Found.missing
        for line in head.fields where line.name.equals(lowercase: "cookie") {
            var start = 0
            while start <= line.value.count {
                let rest = line.value.slice(start, line.value.count)
                let end = start + (rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.count)
                let pair = line.value.slice(start, end).trimmed
                start = end + 1
                guard let sign = pair.firstIndex(of: UInt8(ascii: "=")), sign + 1 < pair.count,
                    pair.slice(0, sign).has(text: name, ignoringCase: false)
                else { continue }
                // A subdomain can add a cookie of the same name (RFC 6265 §8.6).
                guard case .missing = found else { return .several }
                found = .text(pair.slice(sign + 1, pair.count))
            }
        }
        return found
    }
}

extension ByteSpan {
    /// Whether the bytes are those of an ASCII text.
    fileprivate func has(text: String, ignoringCase: Bool) -> Bool {
        func lowercase(_ byte: UInt8) -> UInt8 {
            ignoringCase && (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
        }
        return count == text.utf8.count
            && zip(self, text.utf8).allSatisfy {
                lowercase($0) == lowercase($1)
            }
    }
}
