import HTTPSyntax
package import HTTPTypes

extension HTTPResponse {
    /// Returns the wait that the server asks for, in seconds or as a date (RFC 9110 §10.2.3).
    ///
    /// `now` is the time in seconds since 1970. A past date is no wait. Nil without a valid field.
    package func retryAfter(at now: Int64) -> Duration? {
        guard var text = headerFields[.retryAfter], !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return Int64(text).map { .seconds(min($0, 1 << 40)) }
        }
        let now = Int(now)
        return text.withUTF8 { HTTPDate.parse($0, now: now) }.map { .seconds(max(0, $0 - now)) }
    }
}
