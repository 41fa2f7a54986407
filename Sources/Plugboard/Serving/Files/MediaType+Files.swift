import HTTPSyntax

extension MediaType {
    /// Returns the media type of a web site's or app's file, by its name's extension (RFC 6838).
    ///
    /// Others are `application/octet-stream`.
    static func ofFile(_ path: String) -> String {
        guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return unknown }
        return byExtension[path[path.index(after: dot)...].lowercased()] ?? unknown
    }

    /// Whether compression shrinks it; images, sounds and archives are already compressed.
    var isCompressible: Bool {
        let type = essence
        return type.begins(lowercase: "text/") || type.ends(lowercase: "/json")
            || type.ends(lowercase: "+json") || type.ends(lowercase: "/xml")
            || type.ends(lowercase: "+xml") || type.ends(lowercase: "/javascript")
            || type.equals(lowercase: "application/wasm") || type.equals(lowercase: "font/ttf")
            || type.equals(lowercase: "font/otf") || type.equals(lowercase: "image/x-icon")
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
