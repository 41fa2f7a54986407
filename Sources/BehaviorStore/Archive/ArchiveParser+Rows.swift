import JSONCodec

// A correct hash proves that a row is unchanged, not that it is valid.

extension ArchiveParser {
    static func check(_ row: AuditRow) throws(JSONTypeError) {
        try check(row.author)
        try StoredTextLimits.check(time: row.at, at: "/audit/at")
        try StoredTextLimits.check(name: row.environment, at: "/audit/environment")
        guard row.kind != nil else {
            throw JSONTypeError(pointer: "/audit/change", message: "the kind of change is unknown")
        }
        if row.kind == .rules {
            try StoredTextLimits.check(nothing: row.name, at: "/audit/name")
        } else {
            try StoredTextLimits.check(name: row.name, at: "/audit/name")
        }
        try check(row.before, at: "/audit/before")
        try check(row.after, at: "/audit/after")
    }

    private static func check(_ author: Author) throws(JSONTypeError) {
        try StoredTextLimits.check(line: author.id, at: "/audit/author/id")
        try StoredTextLimits.check(line: author.name, at: "/audit/author/name")
        try StoredTextLimits.check(line: author.address, at: "/audit/author/address")
    }

    private static func check(_ text: String?, at pointer: String) throws(JSONTypeError) {
        guard let text else { return }
        guard text.utf8.count <= StoredTextLimits.maximumRow else {
            throw JSONTypeError(
                pointer: pointer,
                message: "expected \(StoredTextLimits.maximumRow >> 10) KiB at most"
            )
        }
        // Deeper than the limit of requests: a row wraps a request's JSON.
        let json = try? JSON(parsing: Array(text.utf8), depth: .max)
        guard json?.object != nil else {
            throw JSONTypeError(pointer: pointer, message: "expected the text of an object")
        }
    }
}
