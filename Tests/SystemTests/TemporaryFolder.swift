import Foundation
import Glibc
import Testing

/// A folder for one test, removed with all it holds when the test ends.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/plugboard-system-XXXXXX".utf8CString)
        path = String(cString: try #require(mkdtemp(&template)))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ text: String, to name: String = "a", mode: String = "w") throws -> String {
        let path = "\(path)/\(name)"
        let file = try #require(fopen(path, mode))
        fputs(text, file)
        fclose(file)
        return path
    }
}
