import Foundation

/// A folder that goes with its last reference.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
        path = base + "/plugboard-tests-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    subscript(name: String) -> String { path + "/" + name }

    /// Writes a file and the folders above it, in place: as an editor that keeps the file does.
    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        let url = URL(fileURLWithPath: self[name])
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: url)
        return url.path
    }

    /// Says of a file that it was changed so long ago.
    func date(_ name: String, secondsAgo: Int) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -Double(secondsAgo))],
            ofItemAtPath: self[name]
        )
    }

    /// Makes a link of that name to whatever text.
    func link(_ name: String, to destination: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: self[name],
            withDestinationPath: destination
        )
    }
}
