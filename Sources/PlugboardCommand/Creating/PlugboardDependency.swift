import Glibc

/// The place of Plugboard's package, which a new package depends on.
struct PlugboardDependency {
    /// The dependency in the manifest.
    let manifestLine: String
    /// The name by which targets refer to the package.
    let package: String
    /// The folder of a checkout; nil if the dependency is a Git repository.
    let folder: String?

    /// Reads `--plugboard`: a text with `://` or a leading `git@` is a URL, any other a folder.
    ///
    /// - Throws: ``Failure`` if the folder has no manifest, or if the text has a character that
    ///   ends a Swift string or a line.
    init(_ place: String) throws(Failure) {
        guard
            !place.isEmpty,
            place.unicodeScalars.allSatisfy({
                $0.value >= 0x20 && !"\"\\\u{7F}".unicodeScalars.contains($0)
            })
        else {
            throw Failure(
                "--plugboard \(place): expected a folder or a URL without quotes, backslashes and "
                    + "control characters"
            )
        }
        if place.contains("://") || place.hasPrefix("git@") {
            let name = place.split { $0 == "/" || $0 == ":" }.last ?? ""
            package = String(name.hasSuffix(".git") ? name.dropLast(4) : name)
            manifestLine = #".package(url: "\#(place)", branch: "main")"#
            folder = nil
            return
        }
        guard
            access(place + "/Package.swift", R_OK) == 0,
            access(place + "/Sources/PlugboardCommand", F_OK) == 0,
            let real = realpath(place, nil)
        else {
            throw Failure(
                "--plugboard \(place): the folder has no Package.swift of Plugboard. Name the "
                    + "folder of a checkout, or the URL of its repository"
            )
        }
        defer { free(real) }
        let folder = String(cString: real)
        // A package in a folder has the folder's name, unless the dependency names it.
        package = "plugboard"
        manifestLine = #".package(name: "plugboard", path: "\#(folder)")"#
        self.folder = folder
    }
}
