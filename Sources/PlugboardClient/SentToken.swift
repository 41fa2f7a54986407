import PlugHTTP

/// A bearer token in the form that a request can have (RFC 6750 §2.1).
package struct SentToken {
    /// The token without the line end that followed it.
    package let text: String

    /// Checks a token; removes a line end after it, as a mounted secret or `echo` has.
    ///
    /// - Throws: `ClientError` of kind `invalidInput`, without the token.
    package init(_ text: String) throws(ClientError) {
        var token = Substring(text)
        while let last = token.last, last.isNewline { token.removeLast() }
        guard !token.isEmpty else { throw ClientError(.invalidInput, "The bearer token is empty") }
        guard !token.contains(where: \.isNewline) else {
            throw ClientError(
                .invalidInput,
                "The bearer token has several lines: give one token on one line"
            )
        }
        guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ClientError(
                .invalidInput,
                "The bearer token has a character that no token has (RFC 6750): check that it is "
                    + "whole, without spaces and quotes"
            )
        }
        self.text = String(token)
    }
}
