import HTTPSyntax

/// Media types by file name extension (RFC 6838; those a site or an app's assets are made of).
enum MediaType {
    /// The media type of a file, `application/octet-stream` where the extension tells nothing.
    static func of(_ path: String) -> String {
        guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return unknown }
        return byExtension[path[path.index(after: dot)...].lowercased()] ?? unknown
    }

    /// Tells whether a Content-Type is JSON's (RFC 8259, and the `+json` suffix of RFC 6839).
    static func isJSON(_ type: ByteSpan) -> Bool {
        if type.equals("application/json") { return true }
        let end = type.firstIndex(of: 0x3B) ?? type.count
        let essence = type.slice(0, end).trimmed
        if essence.equals(lowercase: "application/json") { return true }
        return essence.count > 5
            && essence.slice(essence.count - 5, essence.count).equals(lowercase: "+json")
    }

    /// Tells whether a Content-Type is that of a form's items (URL Standard, 5).
    static func isForm(_ type: ByteSpan) -> Bool {
        // Told apart by a letter where it is JSON's, as most are.
        guard type.count > 12, type[12] | 0x20 == UInt8(ascii: "x") else { return false }
        let end = type.firstIndex(of: 0x3B) ?? type.count
        return type.slice(0, end).trimmed.equals(lowercase: "application/x-www-form-urlencoded")
    }

    /// Tells whether a Content-Type is text's, or of what else shrinks; images, sounds and archives
    /// are compressed in themselves.
    static func isCompressible(_ type: ByteSpan) -> Bool {
        let essence = type.slice(0, type.firstIndex(of: 0x3B) ?? type.count).trimmed
        func begins(_ text: StaticString) -> Bool {
            essence.count > text.utf8CodeUnitCount
                && essence.slice(0, text.utf8CodeUnitCount).equals(lowercase: text)
        }
        func ends(_ text: StaticString) -> Bool {
            essence.count > text.utf8CodeUnitCount
                && essence.slice(essence.count - text.utf8CodeUnitCount, essence.count)
                    .equals(lowercase: text)
        }
        return begins("text/") || ends("/json") || ends("+json") || ends("/xml") || ends("+xml")
            || ends("/javascript") || essence.equals(lowercase: "application/wasm")
            || essence.equals(lowercase: "font/ttf") || essence.equals(lowercase: "font/otf")
            || essence.equals(lowercase: "image/x-icon")
    }

    static func isCompressible(_ type: String) -> Bool {
        var type = type
        return type.withUTF8 { isCompressible($0) }
    }

    private static let unknown = "application/octet-stream"

    private static let byExtension: [String: String] = [
        "html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8",
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "txt": "text/plain; charset=utf-8",
        "md": "text/markdown; charset=utf-8", "csv": "text/csv; charset=utf-8",
        "xml": "application/xml", "json": "application/json", "map": "application/json",
        "webmanifest": "application/manifest+json", "wasm": "application/wasm",
        "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip",
        "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
        "gif": "image/gif", "webp": "image/webp", "avif": "image/avif", "ico": "image/x-icon",
        "heic": "image/heic", "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf",
        "otf": "font/otf", "mp3": "audio/mpeg", "m4a": "audio/mp4", "wav": "audio/wav",
        "ogg": "audio/ogg", "mp4": "video/mp4", "mov": "video/quicktime", "webm": "video/webm",
    ]
}
