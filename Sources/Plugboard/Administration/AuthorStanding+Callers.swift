import BehaviorStore
import Glibc
import HTTPServer
import Identity
import PlugHTTP

extension AuthorStanding {
    /// The standing of authors by the server's credentials.
    ///
    /// Several servers may share the documents (`isShared`), each with its own certificates, and
    /// those of a folder each with its own tokens. Then an author that this server doesn't know may
    /// be known to another one. A JSON Web Token is valid for a short time and has no revocation, so
    /// only its issuer is checked.
    ///
    /// `hasConsole` is whether people sign in with the console's link.
    ///
    /// `trust` returns the current client authorities and revocation lists; nil without TLS.
    init(
        _ credentials: Access.Credentials,
        issuers: [String],
        isShared: Bool,
        hasConsole: Bool = false,
        trust: @escaping @Sendable () -> TLSContext? = { nil },
        now: @escaping @Sendable () -> Int = { time(nil) }
    ) {
        let missing: @Sendable (String) -> Verdict = { reason in
            isShared ? .unknown(reason) : .ended(reason)
        }
        self.init { author, certificate, permission in
            // A test's callers have no credentials that could end.
            if credentials.takesTestCallers, TestCaller.current != nil { return .valid }
            let needed =
                switch permission {
                case .write: PromoteBehavior.scopes
                case .approve: ApproveDraft.scopes
                }
            if let tokens = credentials.tokens, let standing = try await tokens.standing(of: author)
            {
                return switch standing {
                case .valid(let scopes) where scopes.contains(needed): .valid
                case .valid: .ended("its token has no scope \(needed)")
                case .expired: .ended("its token has expired")
                case .revoked: .ended("its token was revoked")
                case .unknown where tokens.isShared: .ended("there is no token \(author)")
                case .unknown: missing("this server has no token \(author)")
                }
            }
            if let scopes = credentials.certificates?.scopes(ofCaller: author) {
                guard scopes.contains(needed) else {
                    return missing("its certificate's name has no scope \(needed)")
                }
                return Self.judge(certificate, trust(), now(), missing)
            }
            if issuers.contains(where: { author.utf8.starts(with: "\($0)#".utf8) }) {
                return .valid
            }
            if author == Caller.console, hasConsole { return .valid }
            // The application's authenticators have no credentials here to check.
            if !credentials.authenticators.isEmpty, !Caller.isCertificate(author) { return .valid }
            return missing("this server accepts no credentials of \(author)")
        }
    }

    /// The state of an author's certificate by its dates and the current revocation lists.
    private static func judge(
        _ certificate: AuthorCertificate?,
        _ trust: TLSContext?,
        _ now: Int,
        _ missing: (String) -> Verdict
    ) -> Verdict {
        guard let certificate else { return .ended("its certificate isn't stored") }
        guard now < certificate.end else { return .ended("its certificate has expired") }
        let status = trust?.clientTrustStatus(
            issuer: certificate.issuer,
            serial: certificate.serial,
            authority: certificate.authority
        )
        return switch status {
        case .good: .valid
        case .revoked: .ended("its certificate was revoked")
        case .foreign, nil: missing("its certificate's authority isn't accepted")
        case .unknown: .unknown("no current revocation list covers its certificate")
        }
    }
}
