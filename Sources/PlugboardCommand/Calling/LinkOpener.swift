import Glibc
import System
import Synchronization

/// Opens links of a document with the desktop's default program.
///
/// The document comes from the network. So it can start browsers and mail programs only, and only
/// once without asking.
enum LinkOpener {
    /// The most links that are opened in a run without asking.
    static let maximumCount = 1

    /// The number of links that a program could open.
    private static let count = Atomic(0)
    private static let unopened = Atomic(0)

    /// Returns the number of links that weren't opened since the last call.
    static func takeUnopenedCount() -> Int { unopened.exchange(0, ordering: .relaxed) }

    /// Opens a link; beyond the limit it asks on a terminal, and only counts the link elsewhere.
    ///
    /// - Throws: ``Failure`` for a link that isn't opened.
    static func open(_ url: String) throws(Failure) {
        if let reason = objection(to: url) { throw Failure(reason) }
        let isFree = count.add(1, ordering: .relaxed).newValue <= maximumCount
        guard isFree || isConfirmed(url) else {
            unopened.add(1, ordering: .relaxed)
            return
        }
        var process = pid_t()
        let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(url), nil]
        defer { arguments.forEach { free($0) } }
        let status = posix_spawnp(&process, "xdg-open", nil, nil, arguments, environ)
        guard status == 0 else { throw Failure("xdg-open: \(String(cString: strerror(status)))") }
        waitpid(process, nil, 0)
    }

    /// Asks on a terminal; any line but `y` or `yes` means no.
    private static func isConfirmed(_ url: String) -> Bool {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return false }
        Output.announce("Open \(url)? [y/N]")
        return ["y", "yes"].contains(readLine()?.lowercased())
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
