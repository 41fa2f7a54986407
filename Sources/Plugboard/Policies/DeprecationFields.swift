import HTTPSyntax
import HTTPServer
import PlugHTTP

extension Deprecation {
    /// The error in the declaration, such as an invalid date; nil if it is valid.
    var problem: String? {
        guard let start = Self.seconds(since) else {
            return "\"\(since)\" is neither a date, such as 2026-11-01, nor a time in UTC"
        }
        if let sunset {
            guard let end = Self.seconds(sunset) else {
                return "\"\(sunset)\" is neither a date, such as 2026-11-01, nor a time in UTC"
            }
            // RFC 9745 §4.
            if end < start { return "its sunset is before its deprecation" }
        }
        let isURI = link.map { link in
            !link.isEmpty
                && link.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x3C && $0 != 0x3E }
        }
        return isURI == false ? "its link isn't a URI" : nil
    }

    /// The header fields that announce the deprecation.
    var fields: ResponseFields {
        var fields: [(name: String, value: String)] = []
        // Deprecation is a structured date (RFC 9745 §2.1), Sunset an HTTP date (RFC 8594 §3).
        if let start = Self.seconds(since) { fields.append(("Deprecation", "@\(start)")) }
        if let end = sunset.flatMap(Self.seconds) {
            fields.append(("Sunset", HTTPDate.string(end)))
        }
        if let link { fields.append(("Link", "<\(link)>; rel=\"deprecation\"")) }
        return ResponseFields(fields)
    }

    private static func seconds(_ text: String) -> Int? {
        let moment = text.utf8.count == 10 ? text + "T00:00:00Z" : text
        return Array(moment.utf8).withUnsafeBufferPointer(HTTPDate.parseTimestamp)
    }
}
