import HTTPTypes
import HTTPTransport
import JSONCodec
import PlugboardClient

/// The address of a document: `https://example.com/behaviors.json?os=ios`.
struct DocumentAddress: Sendable, Hashable {
    let scheme: String
    let authority: String
    /// The path with the query.
    let path: String

    /// - Throws: `ClientError` of kind `invalidURL` with the reason, without a possible password.
    init(_ url: String) throws(ClientError) {
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        let slash = url[start...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" }
        let base = try BaseURL(String(url[..<(slash ?? url.endIndex)]))
        scheme = base.scheme
        authority = base.authority.text
        let rest = url[(slash ?? url.endIndex)...]
        let path =
            rest.isEmpty || rest == "/"
            ? "/behaviors.json" : rest.hasPrefix("/") ? String(rest) : "/" + rest
        // A text before an @ in the path may be part of a password.
        let isPath = path.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
        guard isPath, !path.prefix(while: { $0 != "?" }).contains("@") else {
            throw ClientError(
                .invalidURL,
                "The path of the document's URL is invalid: percent-encode it, and write %40 for @"
            )
        }
        self.path = path
    }
}

/// The request for a document: its tag belongs to the context that it sends.
struct DocumentRequest {
    static let contextField = "Plugboard-Context"
    static let guardField = "Plugboard-Guard"

    /// Returns the request.
    ///
    /// `tag` is that of the stored document of this context; nil for none. `reports` are the
    /// guard's decisions that no fetch has delivered.
    static func request(
        _ address: DocumentAddress,
        fields: HTTPFields,
        context: JSON.Object,
        tag: String?,
        reports: [GuardReport]
    ) -> HTTPRequest {
        var request = HTTPRequest(
            method: .get,
            scheme: address.scheme,
            authority: address.authority,
            path: address.path,
            headerFields: fields
        )
        request.headerFields[.accept] = "application/json, application/problem+json"
        request.headerFields[.ifNoneMatch] = tag
        if !context.isEmpty, let name = HTTPField.Name(contextField) {
            request.headerFields[name] = ascii(.object(context))
        }
        if !reports.isEmpty, let name = HTTPField.Name(guardField) {
            request.headerFields[name] = reports.map(\.fieldItem).joined(separator: ", ")
        }
        return request
    }

    /// Returns JSON as a field can carry it: other characters as escapes.
    static func ascii(_ json: JSON) -> String {
        json.description.utf16.reduce(into: "") { text, unit in
            if let scalar = Unicode.Scalar(unit), scalar.isASCII, scalar.value != 0x7F {
                text.unicodeScalars.append(scalar)
            } else {
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
    }
}
