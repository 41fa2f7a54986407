#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The file of a token that another program replaces before it expires.
enum TokenFile {
    /// Returns the token.
    static func read(_ file: String) throws -> String {
        do {
            return try String(contentsOfFile: file, encoding: .utf8)
        } catch {
            throw Unreadable(file: file)
        }
    }

    /// A missing or unreadable file.
    struct Unreadable: Error, CustomStringConvertible {
        let file: String
        var description: String { "The token file \(file) can't be read. Check --token-file." }
    }
}
