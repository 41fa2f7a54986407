/// A complete response, framed by this suite's own reader.
struct Response: Sendable {
    struct Field: Sendable, Equatable {
        let name: String
        let value: String
    }

    let status: Int
    let reason: String
    let fields: [Field]
    let body: [UInt8]

    /// The value of a field that may occur once; of a list, its lines joined.
    subscript(_ name: String) -> String? {
        let values = all(name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    func all(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The members of a comma-separated list of tokens, lower-cased.
    func tokens(_ name: String) -> [String] {
        (self[name] ?? "").split(separator: ",").map { trimmed($0).lowercased() }
    }

    var saysClose: Bool { tokens("Connection").contains("close") }
    var saysKeepAlive: Bool { tokens("Connection").contains("keep-alive") }
    var mediaType: String {
        trimmed((self["Content-Type"] ?? "").prefix { $0 != ";" }).lowercased()
    }
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The violations of the rules for all responses, whatever the request.
    func complaints(toHTTP10: Bool) -> [String] {
        var complaints: [String] = []
        if let date = self["Date"] {
            if HTTPDate(imf: date) == nil {
                complaints.append("Date is not an IMF-fixdate: \(date) (RFC 9110 §5.6.7)")
            }
        } else if (200..<500).contains(status) {
            complaints.append("a \(status) without Date (RFC 9110 §6.6.1)")
        }
        if status == 405, self["Allow"] == nil {
            complaints.append("a 405 without Allow (RFC 9110 §15.5.6)")
        }
        if status == 206, self["Content-Range"] == nil, mediaType != "multipart/byteranges" {
            complaints.append("a 206 without Content-Range (RFC 9110 §15.3.7)")
        }
        if toHTTP10, self["Transfer-Encoding"] != nil {
            complaints.append("Transfer-Encoding to an HTTP/1.0 client (RFC 9112 §6.1)")
        }
        if !body.isEmpty, mediaType.isEmpty {
            complaints.append("a body without Content-Type (RFC 9110 §8.3)")
        }
        if status >= 400, !body.isEmpty, mediaType != "application/problem+json" {
            complaints.append("a \(status) body of \(mediaType): not problem+json (RFC 9457 §3)")
        }
        if text.contains(Fixtures.smuggledMark) {
            complaints.append("THE SMUGGLED REQUEST WAS ANSWERED")
        }
        if text.contains(Fixtures.outsideMark) {
            complaints.append("A FILE OUTSIDE OF THE PUBLIC FOLDER WAS SERVED")
        }
        return complaints
    }
}

/// Without the SP and HTAB at both ends.
func trimmed(_ text: some StringProtocol) -> String {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    let front = text.drop(while: isBlank)
    return String(String(front.reversed().drop(while: isBlank)).reversed())
}
