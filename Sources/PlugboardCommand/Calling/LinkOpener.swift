import Glibc
import System
import Synchronization

/// Opens links of a document with the desktop's default program.
///
/// The document comes from the network. So it can start browsers and mail programs only, and only a
/// few times.
enum LinkOpener {
    /// The most links that are opened in a run.
    static let maximumCount = 5

    /// The number of links that a program could open.
    private static let count = Atomic(0)

    /// The number of links beyond the limit.
    static var unopenedCount: Int { max(0, count.load(ordering: .relaxed) - maximumCount) }

    /// Opens a link; beyond the limit it only counts it.
    ///
    /// - Throws: ``Failure`` for a link that isn't opened.
    static func open(_ url: String) throws(Failure) {
        if let reason = objection(to: url) { throw Failure(reason) }
        guard count.add(1, ordering: .relaxed).newValue <= maximumCount else { return }
        var process = pid_t()
        let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(url), nil]
        defer { arguments.forEach { free($0) } }
        let status = posix_spawnp(&process, "xdg-open", nil, nil, arguments, environ)
        guard status == 0 else { throw Failure("xdg-open: \(String(cString: strerror(status)))") }
        waitpid(process, nil, 0)
    }

    /// Returns the reason why a link isn't opened; nil if it is.
    static func objection(to url: String) -> String? {
        guard url == TerminalText.line(url), !url.contains(where: \.isWhitespace) else {
            return "a link with spaces or control characters isn't opened"
        }
        let scheme = url.prefix { $0 != ":" }.lowercased()
        switch scheme {
        case "http", "https":
            return url.dropFirst(scheme.count).hasPrefix("://")
                ? nil : "a \(scheme) link begins with \(scheme)://"
        // Some mail programs attach the file that a query names (`?attach=`).
        case "mailto": return url.contains("?") ? "a mailto link with a query isn't opened" : nil
        default: return "only http, https and mailto links are opened"
        }
    }
}
