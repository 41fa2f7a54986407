import Glibc

/// Operations on paths and folders.
package enum Paths {
    /// The folder of a path; `.` for a name without a slash.
    package static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
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
