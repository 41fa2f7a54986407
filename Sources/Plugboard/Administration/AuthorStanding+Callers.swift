import BehaviorStore
import Identity
import PlugHTTP

extension AuthorStanding {
    /// The standing of authors by the server's credentials.
    ///
    /// Several servers may share the documents, each with its own tokens (`isShared`). Then an
    /// author that this server doesn't know may be known to another one. A JSON Web Token is valid
    /// for a short time and has no revocation, so only its issuer is checked.
    init(_ credentials: Access.Credentials, issuer: String?, isShared: Bool) {
        let missing: @Sendable (String) -> Verdict = { reason in
            isShared ? .unknown(reason) : .ended(reason)
        }
        self.init { author, permission in
            let needed =
                switch permission {
                case .write: PromoteBehavior.scopes
                case .approve: ApproveDraft.scopes
                }
            if let standing = try credentials.tokens?.standing(of: author) {
                return switch standing {
                case .valid(let scopes) where scopes.contains(needed): .valid
                case .valid: .ended("its token has no scope \(needed)")
                case .expired: .ended("its token has expired")
                case .revoked: .ended("its token was revoked")
                case .unknown: missing("this server has no token \(author)")
                }
            }
            if let scopes = credentials.certificates?.scopes(ofCaller: author) {
                return scopes.contains(needed)
                    ? .valid : missing("its certificate's name has no scope \(needed)")
            }
            if let issuer, Array(author.utf8).starts(with: Array("\(issuer)#".utf8)) {
                return .valid
            }
            return missing("this server accepts no credentials of \(author)")
        }
    }
}
