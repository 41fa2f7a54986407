#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import HTTPTransport
import HTTPTypes
import Locking

/// The warnings about tokens that anyone on the way can read.
enum TokenWarning {
    private static let warned = Locked<Set<String>>([])

    /// Returns the warning before a request, if it has credentials, isn't encrypted and leaves this
    /// machine; nil for others, and after the first for a host.
    static func text(for request: HTTPRequest, to authority: HostAndPort) -> String? {
        guard request.scheme == "http", !isLocal(authority.host),
            request.headerFields.contains(.authorization) || request.headerFields.contains(.cookie)
        else { return nil }
        let isFirst = warned.withLock { $0.insert(authority.text.lowercased()).inserted }
        guard isFirst else { return nil }
        return
            "Plain http sends the token to \(authority.text) readably: use https for this server."
    }

    private static func isLocal(_ host: String) -> Bool {
        let host = host.lowercased()
        return host == "localhost" || host.hasSuffix(".localhost") || host == "::1"
            || host.hasPrefix("127.") && host.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39) ~= $0 }
    }

    /// Writes a warning to the standard error.
    static let print: @Sendable (String) -> Void = { text in
        let line = Array("warning: \(text)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
