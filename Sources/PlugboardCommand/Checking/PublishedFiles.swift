import Glibc
import System

/// The files in a public folder, for an operator.
struct PublishedFiles: Equatable {
    /// The most files that are looked at.
    private static let limit = 10_000
    /// The most bytes of a PEM file that are read.
    private static let pemLimit = 64 << 10

    /// The number of files.
    private(set) var count = 0
    /// Whether there are more files than the limit.
    private(set) var isCut = false
    /// The files and folders that this process can't read.
    private(set) var unreadable: [String] = []
    /// The files whose kind is private: keys and databases.
    private(set) var secret: [String] = []
    /// The files that browsers show as pages, whose scripts have the server's origin.
    private(set) var pages: [String] = []

    /// Looks at the files in a folder that the server may send.
    init(in folder: String) { look(in: folder) }

    private mutating func look(in folder: String) {
        guard let names = try? Paths.names(in: folder) else { return unreadable.append(folder) }
        for name in names.sorted() where !name.hasPrefix(".") || name == ".well-known" {
            guard !isCut else { return }
            let path = folder + "/" + name
            var info = stat()
            guard lstat(path, &info) == 0 else { continue }
            // A link may lead to one of its own folders.
            if info.st_mode & S_IFMT == S_IFDIR {
                look(in: path)
            } else {
                take(path)
            }
        }
    }

    private mutating func take(_ path: String) {
        guard count < Self.limit else { return isCut = true }
        count += 1
        if access(path, R_OK) != 0, errno != ENOENT { unreadable.append(path) }
        let end = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        if Self.isSecret(path, end) { secret.append(path) }
        if ["htm", "html", "svg", "xhtml", "xml"].contains(end) { pages.append(path) }
    }

    private static func isSecret(_ path: String, _ end: String) -> Bool {
        switch end {
        case "p12", "pfx", "jks", "sqlite", "sqlite3", "sqlite-wal": return true
        case "pem", "key", "crt":
            let bytes = (try? FileBytes.read(path, limit: pemLimit)) ?? []
            return String(decoding: bytes, as: UTF8.self).contains("PRIVATE KEY-----")
        default: return false
        }
    }
}

extension ServerChecks {
    /// Checks the folder of public files.
    var publicFolder: [Finding] {
        let check = "public folder"
        guard let folder = configuration.publicFolder else {
            return server.missingFolder.map {
                [.ok(check, "there is no folder \($0), so no public files are served")]
            } ?? []
        }
        do {
            try configuration.checkPublicFolder()
        } catch {
            return [.error(check, "\(error)", do: "Create it, or choose another with --public.")]
        }
        let published = server.publishedProblems
        guard published.isEmpty else { return published.map { .error(check, $0) } }
        return Self.published(
            PublishedFiles(in: folder),
            in: folder,
            besideConsole: server.hasPagesBesideConsole
        )
    }

    /// Returns the results of a public folder's files, which may have the console's origin.
    static func published(
        _ files: PublishedFiles,
        in folder: String,
        besideConsole: Bool = false
    ) -> [Finding] {
        func list(_ paths: [String]) -> String {
            paths[0] + (paths.count > 1 ? " and \(paths.count - 1) more" : "")
        }
        var findings: [Finding] = []
        if !files.unreadable.isEmpty {
            findings.append(
                .warning(
                    "public folder",
                    "the server's user can't read \(list(files.unreadable))",
                    do: "chmod -R a+rX \(folder)"
                )
            )
        }
        if !files.secret.isEmpty {
            findings.append(
                .warning(
                    "public folder",
                    "each client can read \(list(files.secret)), a key or a database",
                    do: "Move it out of the folder, and replace the secret."
                )
            )
        }
        if besideConsole, !files.pages.isEmpty {
            findings.append(
                .warning(
                    "public folder",
                    "\(list(files.pages)) has the console's origin: its scripts can act as a person "
                        + "who is signed in",
                    do: "Publish only scripts that you trust, or move the console with "
                        + "--administration operations-port."
                )
            )
        }
        guard findings.isEmpty else { return findings }
        let count = (files.isCut ? "more than " : "") + counted(files.count, "file")
        return [.ok("public folder", "\(folder) is readable, with \(count)")]
    }
}
