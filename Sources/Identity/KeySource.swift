import HTTPSyntax
import System
import Glibc
import PlugHTTP

/// The source of an issuer's keys.
package enum KeySource: Sendable, CustomStringConvertible {
    /// A file, which is read again after each change.
    case file(String)
    /// A URL and the function that fetches it.
    case remote(String, @Sendable () async throws -> Fetched)

    /// A fetched key set.
    package struct Fetched: Sendable {
        package let bytes: [UInt8]
        /// The seconds until the next fetch.
        package let lifetime: Int

        /// Creates a fetched set; its lifetime is the response's, between a minute and a day.
        package init(_ bytes: [UInt8], maxAge: Int?) {
            self.bytes = bytes
            lifetime = min(max(maxAge ?? 600, 60), 86_400)
        }
    }

    /// The error of unavailable keys, with their source.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        /// Creates a failure.
        package init(_ description: String) { self.description = description }
    }

    /// The file or the URL, without possible secrets.
    package var description: String {
        switch self {
        // A URL with another scheme counts as a file.
        case .file(let path): RedactedURL.text(ofFileOrURL: path)
        case .remote(let url, _): RedactedURL.text(url)
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

    /// Reads the file's bytes; returns none for a URL.
    func bytes() throws(Failure) -> [UInt8] {
        guard case .file(let path) = self else { return [] }
        do throws(FileError) {
            return try FileBytes.read(path, limit: KeySet.maximumSize)
        } catch {
            throw Failure("\(self): \(error.reason)")
        }
    }
}

extension KeySource {
    /// Reads or fetches the keys once, as a server does at its start.
    ///
    /// - Returns: the number of usable keys, and a message for each unusable one.
    /// - Throws: the error for which a server has no keys.
    package func check() async throws -> (count: Int, problems: [String]) {
        let set = try set(of: await fetch().bytes)
        do {
            return (set.keys.count, try KeyRing(set).problems)
        } catch {
            throw Failure("\(self): \(error)")
        }
    }
}
