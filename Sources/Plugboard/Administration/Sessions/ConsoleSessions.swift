import Digests
import Glibc
import HTTPSyntax
import Identity
import Locking
import PlugHTTP

/// The signed-in browsers of a server: each has the secret of a session in its cookie.
///
/// They are in memory, and only the digests of their secrets. A session ends 12 hours after its
/// sign-in, after two idle hours, or with its token. Beyond a limit the longest unused one ends.
final class ConsoleSessions: Sendable {
    /// The largest number of sessions.
    static let limit = 1_000
    /// The largest number of sessions of a token, whose owner could end those of all others.
    static let limitPerToken = 50
    /// The longest time of a session, in seconds.
    static let lifetime = 12 * 3_600
    /// The longest time between two requests of a session, in seconds.
    static let idleTime = 2 * 3_600

    /// The credentials with which a session began.
    enum Holder: Sendable {
        /// The console's link.
        case console
        /// A token, which each request verifies again.
        case token(TokenText)
    }

    private struct Session {
        /// The number, which isn't secret.
        let id: String
        let holder: Holder
        /// The client's address at the sign-in.
        let address: IPAddress?
        /// The begin, the end and the last request in seconds on `clock`.
        let begin: Int
        var end: Int { begin + ConsoleSessions.lifetime }
        var used: Int

        /// The number of its token; nil for the link's session.
        var token: UInt64? {
            switch holder {
            case .console: nil
            case .token(let token): token.number
            }
        }

        func isValid(at now: Int) -> Bool { now < end && now - used < ConsoleSessions.idleTime }
    }

    /// The codes of the console's link.
    let codes: SignInCodes
    /// The limits of failed sign-ins.
    let limits: SignInLimits
    private let tokens: TokenStore?
    /// The permissions of sessions that began with the link.
    private let scopes: Scopes
    /// A change of the machine's time neither prolongs nor ends a session.
    private let clock: @Sendable () -> Int
    private let now: @Sendable () -> Int
    /// The sessions by the digests of their secrets.
    private let kept = Locked<[[UInt8]: Session]>([:])

    /// Creates the sessions of a server.
    ///
    /// - Parameters:
    ///   - tokens: the server's tokens; nil if it has none.
    ///   - scopes: the permissions of sessions that begin with the link.
    ///   - codes: the codes of the link.
    ///   - limits: the limits of failed sign-ins.
    ///   - clock: the seconds of a monotonic clock.
    ///   - now: seconds since 1970.
    init(
        _ tokens: TokenStore?,
        scopes: Scopes,
        codes: SignInCodes = SignInCodes(),
        limits: SignInLimits = SignInLimits(),
        clock: @escaping @Sendable () -> Int = SignInCodes.secondsSinceBoot,
        now: @escaping @Sendable () -> Int = { time(nil) }
    ) {
        self.tokens = tokens
        self.scopes = scopes
        self.codes = codes
        self.limits = limits
        self.clock = clock
        self.now = now
    }

    /// The number of sessions, with those that have ended without notice.
    var count: Int { kept.withLock { $0.count } }

    /// A session's caller, and its end in seconds since 1970.
    struct Standing: Sendable, Equatable {
        let caller: Caller
        let end: Int
    }

    /// Begins a session of a client, and returns its secret.
    func begin(_ holder: Holder, from address: IPAddress? = nil) -> String {
        let secret = RandomText.make(bytes: 32)
        let now = clock()
        let session = Session(
            id: RandomText.make(bytes: 9),
            holder: holder,
            address: address,
            begin: now,
            used: now
        )
        kept.withLock { kept in
            func makeRoom(in sessions: [[UInt8]: Session], below limit: Int) {
                guard sessions.count >= limit,
                    let oldest = sessions.min(by: { $0.value.used < $1.value.used })
                else { return }
                kept[oldest.key] = nil
            }
            if let token = session.token {
                makeRoom(in: kept.filter { $0.value.token == token }, below: Self.limitPerToken)
            }
            if kept.count >= Self.limit { kept = kept.filter { $0.value.isValid(at: now) } }
            makeRoom(in: kept, below: Self.limit)
            kept[Self.digest(secret)] = session
        }
        return secret
    }

    /// Returns the standing of a session by its secret; nil if there is no such session.
    ///
    /// The check of an open stream isn't use (`isUse`), so an open board lets its session become idle.
    ///
    /// - Throws: an error if the session's token can't be verified now.
    func standing(of secret: String, isUse: Bool = true) throws -> Standing? {
        let digest = Self.digest(secret)
        let now = clock()
        let session = kept.withLock { kept -> Session? in
            guard let session = kept[digest] else { return nil }
            guard session.isValid(at: now) else {
                kept[digest] = nil
                return nil
            }
            if isUse { kept[digest]?.used = now }
            return session
        }
        guard let session else { return nil }
        guard let standing = try standing(of: session, at: now) else {
            kept.withLock { $0[digest] = nil }
            return nil
        }
        return standing
    }

    /// Returns the standing of a session that isn't over; nil if its token isn't valid.
    private func standing(of session: Session, at now: Int) throws -> Standing? {
        let end = self.now() + session.end - now
        switch session.holder {
        case .console:
            let caller = Caller(id: Caller.console, name: Caller.console, scopes: scopes)
            return Standing(caller: caller, end: end)
        case .token(let token):
            guard case .valid(let caller)? = try tokens?.verify(token) else { return nil }
            return Standing(
                caller: caller,
                end: min(end, tokens?.expiry(ofToken: caller.id) ?? end)
            )
        }
    }

    /// Ends a session by its secret.
    func end(_ secret: String) { kept.withLock { $0[Self.digest(secret)] = nil } }

    /// Returns the sessions that aren't over, the last used first; marks those with one of the secrets.
    ///
    /// - Throws: an error if a session's token can't be verified now.
    func list(for secrets: [String]) throws -> [SignedInBrowser] {
        let (now, time) = (clock(), self.now())
        let own = secrets.map(Self.digest)
        let sessions = kept.withLock { $0.filter { $0.value.isValid(at: now) } }
        return try sessions.sorted { $0.value.used > $1.value.used }.compactMap { key, session in
            try standing(of: session, at: now).map { standing in
                SignedInBrowser(
                    id: session.id,
                    standing,
                    began: time - now + session.begin,
                    used: time - now + session.used,
                    address: session.address,
                    isCurrent: own.contains(key)
                )
            }
        }
    }

    /// Ends a session by its number; returns its holder's number, or nil if there is no such session.
    func end(id: String) -> String? {
        let sessions = kept.withLock { $0 }
        for (key, session) in sessions where session.id == id {
            kept.withLock { $0[key] = nil }
            guard let number = session.token else { return Caller.console }
            return TokenText.id(number)
        }
        return nil
    }

    /// Returns the token in a text; nil if it isn't valid.
    ///
    /// - Throws: an error if tokens can't be verified now.
    func verify(_ text: String) throws -> TokenText? {
        guard let token = Array(text.utf8).withUnsafeBufferPointer(TokenText.init),
            case .valid? = try tokens?.verify(token)
        else { return nil }
        return token
    }

    /// The end of a caller's token; nil if it never expires, or isn't one of the server's tokens.
    func expiry(of caller: Caller) -> Int? { tokens?.expiry(ofToken: caller.id) }

    private static func digest(_ secret: String) -> [UInt8] {
        Array(secret.utf8).withUnsafeBufferPointer(Digest.sha256)
    }
}

extension ConsoleSessions {
    /// Identifies the callers of session cookies.
    ///
    /// A cookie counts only in the requests of the server's own pages
    /// (``ServerRequest/isOfOwnPage``). `Authorization` takes precedence.
    var authenticator: Authenticator {
        Authenticator(.cookie(SessionCookie.commonName)) { [self] credential in
            guard credential.request.head.headerFields[.authorization] == nil,
                credential.request.isOfOwnPage
            else { return nil }
            return try standing(of: credential.text, isUse: !credential.isRecheck)?.caller
        }
    }
}
