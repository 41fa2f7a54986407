import COpenSSL

/// Why TLS can't be served: all reasons at once, none of them with a byte of a key.
package struct TLSError: Error, CustomStringConvertible {
    /// A sentence for each reason.
    package let problems: [String]

    init(_ problems: [String]) { self.problems = problems }

    init(_ problem: String) { problems = [problem] }

    package var description: String { problems.joined(separator: "; ") }
}

/// OpenSSL's queue of errors, which belongs to the thread.
enum OpenSSLErrors {
    /// The first error's reason in OpenSSL's words, which are of the protocol or the file's form,
    /// never of its content.
    ///
    /// Empties the queue: what is left there would be taken for the next call's error.
    static func take() -> String? {
        let first = ERR_peek_error()
        ERR_clear_error()
        guard first != 0 else { return nil }
        return ERR_reason_error_string(first).map { String(cString: $0) } ?? "error \(first)"
    }
}
