import Glibc

/// Operations on paths and folders.
package enum Paths {
    /// The folder of a path; `.` for a name without a slash.
    package static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns the absolute path without links; names of missing files and folders stay.
    package static func real(_ path: String) -> String {
        if let found = realpath(path, nil) {
            defer { free(found) }
            return String(cString: found)
        }
        var path = path
        while path.count > 1, path.last == "/" { path.removeLast() }
        let above = parent(of: path)
        guard !path.isEmpty, above != path else { return path }
        let name = path.split(separator: "/").last ?? ""
        let folder = real(above)
        switch name {
        case ".": return folder
        case "..": return parent(of: folder)
        default: return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
        }
    }

    /// Whether a path is a folder or in it, also through links and other mounts of the folder.
    package static func isBeneath(_ folder: String, _ path: String) -> Bool {
        FileIdentity(folder).map { isBeneath($0, path) } ?? false
    }

    /// Whether a path is a folder with this identity or in it.
    package static func isBeneath(_ identity: FileIdentity, _ path: String) -> Bool {
        var path = real(path)
        while FileIdentity(path) != identity {
            let above = parent(of: path)
            guard above != path else { return false }
            path = above
        }
        return true
    }

    /// The target of a symbolic link; nil for anything else.
    package static func target(of link: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { room in
            let count = room.baseAddress.map { readlink(link, $0, room.count) } ?? -1
            return count < 0
                ? nil : String(decoding: UnsafeRawBufferPointer(room).prefix(count), as: UTF8.self)
        }
    }

    /// The names in a folder, unordered, without `.` and `..`.
    package static func names(in folder: String) throws(FileError) -> [String] {
        guard let directory = opendir(folder) else { throw FileError(folder) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
