import PlugHTTP

extension Caller {
    /// The prefix of the identifiers of callers with a client certificate.
    ///
    /// It keeps them distinct from tokens' numbers and issuers' subjects.
    static let certificatePrefix = "certificate "

    /// Whether a caller's identifier is a certificate's.
    static func isCertificate(_ id: String) -> Bool {
        id.utf8.starts(with: certificatePrefix.utf8)
    }
}
