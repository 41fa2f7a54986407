import Glibc

extension Watcher {
    /// A subject of a subscription.
    package enum Target: Sendable {
        /// A file or folder; it changes when its writer closes it or a name on its path changes.
        case path(String)
        /// A SQLite database, whose file and log are written in place.
        case database(String)
        /// A folder with subfolders that contain files.
        case tree(String)
    }

    /// A folder to watch, with the relevant events of one name, or of all names.
    struct Place {
        let folder: String
        var name: String?
        var events = Self.replacement

        /// A file is created, deleted, moved, or closed by its writer.
        private static let replacement = UInt32(
            IN_CLOSE_WRITE | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
                | IN_DELETE_SELF | IN_MOVE_SELF
        )

        func counts(_ events: UInt32, of name: String) -> Bool {
            self.events & events != 0 && (self.name == nil || name.isEmpty || self.name == name)
        }
    }
}

extension Watcher.Target {
    /// The places where inotify reports changes of the target, resolved now.
    var places: [Watcher.Place] {
        switch self {
        case .path(let path): return Self.places(of: path)
        case .database(let path):
            return Self.places(of: path).flatMap { place in
                [place.name, place.name.map { $0 + "-wal" }].map { name in
                    Watcher.Place(
                        folder: place.folder,
                        name: name,
                        events: place.events | UInt32(IN_MODIFY)
                    )
                }
            }
        case .tree(let folder):
            let names = (try? Paths.names(in: folder)) ?? []
            return Self.places(of: folder)
                + ([folder] + names.map { folder + "/" + $0 }).map { Watcher.Place(folder: $0) }
        }
    }

    private static func places(of path: String) -> [Watcher.Place] {
        WatchedName.all(of: path).map { Watcher.Place(folder: $0.folder, name: $0.name) }
    }
}
