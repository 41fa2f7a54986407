extension PostgreSQLError {
    /// Creates an error from libpq's verbose message about a failed attempt to connect.
    ///
    /// A host name may have several addresses, so the message may have a line for each attempt. One
    /// attempt that was denied makes the error ``Kind/denied``.
    init(connecting text: String) {
        // libpq indents further lines by a tab.
        let lines = text.split(whereSeparator: \.isNewline)
            .map { $0.trimmingPrefix(while: \.isWhitespace) }
            .filter { !$0.hasPrefix("LOCATION:") }
        let attempts = lines.map(Attempt.init)
        let denied = attempts.first(where: \.isDenied)
        self.init(
            denied == nil ? .unavailable : .denied,
            lines.isEmpty
                ? "the connection failed"
                : attempts.map(\.message).joined(separator: "; "),
            state: (denied ?? attempts.first { $0.state != nil })?.state
        )
    }

    /// Creates an error from libpq's message about an attempt that ended before it waited.
    ///
    /// libpq then rejects a parameter of the address, unless it names the server.
    init(beginning text: String) {
        let isAttempt =
            text.hasPrefix("connection to server") || text.contains("could not translate host name")
        guard isAttempt else {
            let lines = text.split(whereSeparator: \.isNewline)
            self.init(.wrongAddress, lines.joined(separator: "; "))
            return
        }
        self.init(connecting: text)
    }

    /// A line about one attempt, such as `connection to server at "db" failed: FATAL:  28P01: …`.
    private struct Attempt {
        /// The SQLSTATE (PostgreSQL's Appendix A); nil if the server sent none.
        var state: String?
        /// The line without the SQLSTATE.
        var message: String

        /// Splits `FATAL:  28P01: password authentication failed`.
        init(_ line: Substring) {
            let parts = line.split(separator: ": ", omittingEmptySubsequences: false)
            let place = parts.firstIndex { part in
                part.first == " " && part.count == 6
                    && part.dropFirst().allSatisfy { $0.isNumber || $0.isUppercase }
            }
            state = place.map { String(parts[$0].dropFirst()) }
            message = parts.indices.filter { $0 != place }.map { parts[$0] }
                .joined(separator: ": ")
        }

        var isDenied: Bool {
            if let state {
                return state.hasPrefix("28") || state == "3D000" || state == "42501"
            }
            // libpq's own checks of TLS have no SQLSTATE. Its messages are in English: the program
            // sets no locale. Names of hosts and files are in quotes.
            let unquoted = message.split(separator: "\"", omittingEmptySubsequences: false)
                .enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
            return ["certificate", "private key", "does not support SSL"].contains { phrase in
                unquoted.contains { $0.contains(phrase) }
            }
        }
    }
}
