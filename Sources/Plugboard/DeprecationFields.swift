import HTTPSyntax
import HTTPServer
import PlugHTTP

extension Deprecation {
    /// What keeps it from being told; nil where nothing does.
    var problem: String? {
        guard let start = Self.seconds(since) else {
            return "\"\(since)\" is neither a day, such as 2026-11-01, nor a moment in UTC"
        }
        if let sunset {
            guard let end = Self.seconds(sunset) else {
                return "\"\(sunset)\" is neither a day, such as 2026-11-01, nor a moment in UTC"
            }
            // RFC 9745 §4.
            if end < start { return "its sunset is before its deprecation" }
        }
        let isURI = link.map { link in
            !link.isEmpty
                && link.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x3C && $0 != 0x3E }
        }
        return isURI == false ? "its link is no URI" : nil
    }

    /// The field lines that tell of it.
    var fields: ResponseFields {
        var fields: [(name: String, value: String)] = []
        // A date is a structured one here (RFC 9745 §2.1), and HTTP's there (RFC 8594 §3).
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
