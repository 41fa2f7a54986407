import System
import Glibc
import PlugHTTP

/// Where the keys of an issuer come from.
package enum KeySource: Sendable, CustomStringConvertible {
    /// A file, which is read anew when it has changed.
    case file(String)
    /// A URL, and what fetches it.
    case remote(String, @Sendable () async throws -> Fetched)

    /// What was fetched.
    package struct Fetched: Sendable {
        package let bytes: [UInt8]
        /// The seconds after which it is to be fetched again.
        package let lifetime: Int

        /// Those bytes, good for as long as the answer says, within bounds.
        package init(_ bytes: [UInt8], maxAge: Int?) {
            self.bytes = bytes
            lifetime = min(max(maxAge ?? 600, 60), 86_400)
        }
    }

    /// Keys that can't be had, and where.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        /// A failure that says that.
        package init(_ description: String) { self.description = description }
    }

    /// The file or the URL, without what may be a secret.
    package var description: String {
        switch self {
        // A URL of another scheme is taken for a file.
        case .file(let path): ShownURL.text(ofFileOrURL: path)
        case .remote(let url, _): ShownURL.text(url)
        }
    }

    var isFile: Bool {
        if case .file = self { true } else { false }
    }

    func fetch() async throws -> Fetched {
        switch self {
        case .file: try Fetched(bytes(), maxAge: nil)
        case .remote(_, let fetch): try await fetch()
        }
    }

    func set(of bytes: [UInt8]) throws(Failure) -> KeySet {
        do throws(KeySet.Invalid) {
            return try KeySet(parsing: bytes)
        } catch {
            throw Failure("\(self): \(error)")
        }
    }

    /// The file's bytes; none of a URL.
    func bytes() throws(Failure) -> [UInt8] {
        guard case .file(let path) = self else { return [] }
        do throws(FileError) {
            return try FileBytes.read(path, limit: KeySet.greatestSize)
        } catch {
            throw Failure("\(self): \(error.reason)")
        }
    }
}
