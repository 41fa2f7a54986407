import Glibc
import System

/// A package to be written: its name and its dependency fill the templates.
struct NewPackage {
    /// The greatest number of characters in a name.
    private static let maximumName = 50
    /// The executables of Plugboard.
    ///
    /// A package graph can't have two products of one name.
    private static let reserved: Set = ["plugboard", "photos", "orders"]

    let name: String
    private let dependency: PlugboardDependency

    /// Creates a package.
    ///
    /// - Throws: ``Failure`` if the name is invalid or reserved.
    init(name: String, dependency: PlugboardDependency) throws(Failure) {
        guard Self.isValid(name) else {
            throw Failure(
                "\(name) is no package name. Use 1 to \(Self.maximumName) characters: a letter "
                    + "a-z, then a-z, 0-9 and single hyphens"
            )
        }
        guard !Self.reserved.contains(name) else {
            throw Failure("\(name) is an executable of Plugboard. Choose another package name")
        }
        self.name = name
        self.dependency = dependency
    }

    /// Whether a name's parts begin a target's name and a product's.
    private static func isValid(_ name: String) -> Bool {
        let isWord = name.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
        }
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        return isWord && name.utf8.count <= maximumName && !parts.contains("")
            && name.utf8.first.map { $0 >= UInt8(ascii: "a") } ?? false
    }

    /// The beginning of the targets' names: `photo-likes` becomes `PhotoLikes`.
    var module: String {
        name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The package's files, each with its path and its text.
    var files: [(path: String, text: String)] {
        PackageTemplates.all(isLocal: dependency.folder != nil).map {
            (fill($0.path), fill($0.text))
        }
    }

    /// Replaces the placeholders of a template.
    private func fill(_ template: String) -> String {
        let values = [
            "name": name, "Module": module, "dependency": dependency.manifestLine,
            "package": dependency.package, "folder": dependency.folder ?? "",
        ]
        var parts = template.split(separator: "{{", omittingEmptySubsequences: false)[...]
        var text = String(parts.removeFirst())
        for part in parts {
            // A part without a placeholder's end is a template's own brace.
            guard let end = part.firstRange(of: "}}"),
                let value = values[String(part[..<end.lowerBound])]
            else {
                text += "{{" + part
                continue
            }
            text += value + part[end.upperBound...]
        }
        return text
    }

    /// Writes the files into a missing or empty folder.
    ///
    /// - Returns: the files' paths within the folder.
    /// - Throws: ``Failure`` if the folder has files, or if a file can't be written.
    func write(to folder: String) throws(Failure) -> [String] {
        do throws(FileError) {
            try Folders.make(folder)
            guard try Paths.names(in: folder).isEmpty else {
                throw FileError(folder, because: "the folder isn't empty. Name another with --path")
            }
            for file in files {
                try Self.write(file.text, to: folder + "/" + file.path)
            }
        } catch {
            throw Failure("\(error)")
        }
        return files.map(\.path)
    }

    /// Writes a new file with the permissions of the process's mask.
    private static func write(_ text: String, to path: String) throws(FileError) {
        try Folders.make(Paths.parent(of: path))
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FileError(path) }
        defer { close(descriptor) }
        if let code = Descriptors.write(Array(text.utf8), to: descriptor) {
            throw FileError(path, code: code)
        }
    }
}
