import CConsole
import Digests
import Gzip
import HTTPSyntax
import HTTPServer
import Locking

/// The console's pages, which the program contains.
///
/// The index page is at `/console/`. It refers to all other files in a folder that is named after the
/// digest of all files, so browsers store them for a year. A file is compressed once, at its first
/// request.
final class ConsoleFiles: Sendable {
    /// One file of the console.
    struct File: Sendable {
        /// Its path below the folder, such as `app.js`.
        let name: String
        let bytes: [UInt8]
    }

    /// The path without the slash, which redirects to the index page.
    ///
    /// The target is relative, so that a proxy can have the console below a path of its own.
    static let path: StaticString = "/console"
    /// The index page's path.
    private static let folder: StaticString = "/console/"
    /// The text in the index page that the digest replaces.
    private static let placeholder = "@digest@"

    /// The files in the program, in the table's order.
    static var embeddedFiles: [File] {
        var files: [File] = []
        while let file = cconsole_file(files.count)?.pointee {
            let bytes = UnsafeBufferPointer(start: file.bytes, count: file.length)
            files.append(File(name: String(cString: file.name), bytes: Array(bytes)))
        }
        return files
    }

    /// The pages in the program.
    static let embedded = ConsoleFiles { embeddedFiles }

    /// The pages by their paths; read when the first one is requested.
    private let pages: Once<[String: Page]>

    /// A page that is compressed at its first request.
    private struct Page: Sendable {
        let representations: Once<Representations>
    }

    /// Creates the pages of some files.
    init(_ files: @escaping @Sendable () -> [File]) {
        pages = Once { Self.pages(of: files()) }
    }

    /// The digest of all names and contents, in 16 hexadecimal digits.
    static func digest(of files: [File]) -> String {
        let parts = files.sorted { $0.name < $1.name }.flatMap { file in
            [file.name, Hexadecimal.sha256(file.bytes)]
        }
        return String(ChainHash.of(parts).prefix(16))
    }

    private static func pages(of files: [File]) -> [String: Page] {
        let digest = digest(of: files)
        var pages: [String: Page] = [:]
        for file in files {
            let type = MediaType.ofFile(file.name)
            if file.name == "index.html" {
                pages["\(folder)"] = Page(
                    representations: Once {
                        let text = String(decoding: file.bytes, as: UTF8.self)
                        let bytes = Array(text.replacing(placeholder, with: digest).utf8)
                        return Representations(console: bytes, type, "no-cache")
                    }
                )
            } else {
                pages["\(folder)\(digest)/\(file.name)"] = Page(
                    representations: Once {
                        let caching = "public, max-age=31536000, immutable"
                        return Representations(console: file.bytes, type, caching)
                    }
                )
            }
        }
        return pages
    }

    /// Whether a path belongs to the console, whether or not it has a file.
    func has(_ path: ByteSpan) -> Bool {
        path.starts(with: Array("\(Self.folder)".utf8)) || path.equals(Self.path)
    }

    /// Returns the response to a GET or HEAD for one of the console's paths; nil if it has no file.
    func answer(_ head: RequestHead) -> Reply? {
        guard !head.path.equals(Self.path) else {
            return .now(
                Response(
                    status: 301,
                    fields: ResponseFields([("Location", "console/")])
                )
            )
        }
        guard let page = pages.value[head.path.text]?.representations else { return nil }
        if let made = page.made { return .now(made.answer(head)) }
        let held = HeadCopy(head)
        return .later { await WorkQueue.computing.respond { page.value.answer(held.head) } }
    }
}

extension Representations {
    /// A file of the console, with the fields that isolate it from other origins.
    ///
    /// The policy allows neither inline code nor `eval`, and connections to this server only.
    fileprivate init(console bytes: [UInt8], _ mediaType: String, _ caching: String) {
        let isCompressible = Array(mediaType.utf8).withUnsafeBufferPointer {
            MediaType($0).isCompressible
        }
        self.init(
            bytes,
            gzip: isCompressible
                ? bytes.withUnsafeBufferPointer { Gzip.compress($0, .kept) } : nil,
            etag: "\"\(Hexadecimal.sha256(bytes).prefix(16))\"",
            mediaType: mediaType,
            caching: [
                ("Cache-Control", caching),
                (
                    "Content-Security-Policy",
                    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                        + "img-src 'self' data:; form-action 'none'; frame-ancestors 'none'; "
                        + "base-uri 'none'"
                ),
                ("Cross-Origin-Opener-Policy", "same-origin"),
                ("Cross-Origin-Resource-Policy", "same-origin"),
                ("Referrer-Policy", "no-referrer"),
            ]
        )
    }
}
