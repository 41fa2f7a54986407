import Glibc

/// A name in a folder that is part of a watched path.
struct WatchedName: Hashable {
    /// The folder, with symbolic links resolved.
    let folder: String
    let name: String

    /// The maximum number of links in a path, as in path_resolution(7).
    private static let mostLinks = 40

    /// The names on which a path depends: its last one, and each symbolic link before it.
    ///
    /// If a folder in the path is missing, its name is the last one.
    static func all(of path: String) -> [WatchedName] {
        var found: [WatchedName] = []
        var folder = path.hasPrefix("/") ? "/" : "."
        var rest = components(of: path)
        while let name = rest.popLast() {
            let place = folder == "/" ? "/" + name : folder + "/" + name
            if let target = Paths.target(of: place) {
                found.append(WatchedName(folder: folder, name: name))
                guard found.count <= mostLinks else { break }
                if target.hasPrefix("/") { folder = "/" }
                rest += components(of: target)
            } else if name == ".." || !rest.isEmpty && access(place, F_OK) == 0 {
                folder = place
            } else {
                found.append(WatchedName(folder: folder, name: name))
                break
            }
        }
        return found
    }

    /// The names of a path in reverse order.
    private static func components(of path: String) -> [String] {
        path.utf8.split(separator: 0x2F).map { String(decoding: $0, as: UTF8.self) }
            .filter { $0 != "." }.reversed()
    }
}
