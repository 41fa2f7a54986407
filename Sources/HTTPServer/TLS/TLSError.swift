import COpenSSL

/// All problems of a TLS configuration; the messages contain no key material.
package struct TLSError: Error, CustomStringConvertible {
    /// One sentence for each problem.
    package let problems: [String]

    init(_ problems: [String]) { self.problems = problems }

    init(_ problem: String) { problems = [problem] }

    package var description: String { problems.joined(separator: "; ") }
}

/// Returns the value of `body`; on an error returns nil and appends its problems.
func collectProblems<Value>(
    into problems: inout [String],
    _ body: () throws(TLSError) -> Value
) -> Value? {
    do {
        return try body()
    } catch {
        problems += error.problems
        return nil
    }
}

/// OpenSSL's error queue, which belongs to the thread.
enum OpenSSLErrors {
    /// Returns the first error's reason in OpenSSL's words.
    ///
    /// They name the protocol or the file format, never the file's content.
    ///
    /// Empties the queue, so that the next call's errors aren't mixed with these.
    static func take() -> String? {
        let first = ERR_peek_error()
        ERR_clear_error()
        guard first != 0 else { return nil }
        return ERR_reason_error_string(first).map { String(cString: $0) } ?? "error \(first)"
    }
}
