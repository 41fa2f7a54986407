import AdministrationStore
import HTTPServer
import HTTPSyntax
import JSONCodec
import PlugHTTP
package import Plug

/// A caller's permissions, as the console shows them.
package struct SessionInfo: Codable, Sendable, Equatable {
    /// The caller's identifier: a token's number, or `console` for the link's session; null without
    /// credentials.
    package var id: String?
    /// The caller's name, or its identifier if it has no name; null without credentials.
    package var name: String?
    /// The caller's scopes, with all that they imply.
    package var scopes: [String] = []
    /// The end of the session or of the token, as `2026-11-22T08:00:00Z`; null if it has none.
    package var expires: String?
    /// The value of the response's `Set-Cookie`; nil for none.
    var cookie: String?

    private enum CodingKeys: String, CodingKey { case id, name, scopes, expires }

    /// The permissions of a caller until a time in seconds since 1970.
    init(_ caller: Caller?, until end: Int?) {
        id = caller?.id
        name = caller.map { $0.name.isEmpty ? $0.id : $0.name }
        scopes = caller?.scopes.names ?? []
        expires = end.map(HTTPDate.timestamp)
    }

    /// Encodes missing members as null.
    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(name, forKey: .name)
        try members.encode(scopes, forKey: .scopes)
        try members.encode(expires, forKey: .expires)
    }
}

/// Signs a browser in: with the code of the console's link, or with a token.
///
/// The response sets the session's cookie.
package class CreateSession: Action<CreateSession.Input, SessionInfo>, POST {
    package struct Input: Codable, Sendable {
        /// The code of the console's link, which is valid once.
        package var code: String?
        /// A token of the server.
        package var token: String?

        package init(code: String? = nil, token: String? = nil) {
            self.code = code
            self.token = token
        }
    }

    package static var path: String { "/sessions" }
}

extension CreateSession.Input: Constrained {
    package static var constraints: Constraints {
        ["code": [.minLength(1), .maxLength(100)], "token": [.minLength(1), .maxLength(200)]]
    }
}

/// Returns the caller's name and scopes, by its session or its other credentials.
package class GetSession: Action<Void, SessionInfo>, GET {
    package static var path: String { "/sessions/current" }
}

/// Signs the browser out: removes its cookie, and ends its session if it has one.
package class EndSession: Action<Void, RemovedCookie>, DELETE {
    package static var path: String { "/sessions/current" }
}

/// The removal of a session's cookie, in a response without a body.
package struct RemovedCookie: Codable, Sendable {
    /// The value of the response's `Set-Cookie`.
    var field: String
}

/// A browser that is signed in, without its secrets.
package struct SignedInBrowser: Codable, Sendable, Equatable {
    /// The session's number, which isn't secret.
    package var id: String
    /// The caller's name, or its identifier if it has no name.
    package var name: String
    /// The caller's identifier: a token's number, or `console` for the link's session.
    package var caller: String
    /// The client's address at the sign-in; missing over a Unix socket.
    package var address: String?
    /// The time of the sign-in, as `2026-11-22T08:00:00Z`.
    package var began: String
    /// The time of the last request.
    package var used: String
    /// The time at which the session ends.
    package var expires: String
    /// Whether it is the session of this request.
    package var isCurrent: Bool

    /// The properties of a session; times are in seconds since 1970.
    init(
        id: String,
        _ standing: ConsoleSessions.Standing,
        began: Int,
        used: Int,
        address: IPAddress?,
        isCurrent: Bool
    ) {
        self.id = id
        name = standing.caller.name.isEmpty ? standing.caller.id : standing.caller.name
        caller = standing.caller.id
        self.address = address?.description
        self.began = HTTPDate.timestamp(began)
        self.used = HTTPDate.timestamp(used)
        expires = HTTPDate.timestamp(standing.end)
        self.isCurrent = isCurrent
    }
}

/// Lists the signed-in browsers of this server, the last used first.
package class ListSessions: Action<Void, [SignedInBrowser]>, GET, Scoped {
    package static var path: String { "/sessions" }
    package static var scopes: Scopes { .admin }
}

/// Ends the session of a browser, and its streams.
package class RevokeSession: Action<RevokeSession.Input, Void>, DELETE, Scoped {
    /// A session of this server.
    package struct Input: Codable, Sendable {
        /// The session's number.
        package var id: String
    }

    package static var path: String { "/sessions/{id}" }
    package static var scopes: Scopes { .admin }
}

extension ExposedAction {
    /// The actions that sign people in and out; `stored` has the audit.
    static func administration(
        of sessions: ConsoleSessions,
        _ stored: Administration?
    ) -> [ExposedAction] {
        var declarations = Declarations()
        declarations.isConfidential = true
        var reading = declarations
        reading.identifiesCallers = true
        return [
            ExposedAction(
                own: CreateSession.self,
                declarations,
                .decoded(forEndpoint: CreateSession.self),
                .session,
                reading: SignInContext.init
            ) { try sessions.create($0, $1, stored?.rejections) },
            ExposedAction(
                own: GetSession.self,
                reading,
                .nothing(rejectsUnknown: true),
                .session,
                reading: SignInContext.init
            ) { try sessions.describe($1) },
            ExposedAction(
                own: EndSession.self,
                declarations,
                .nothing(rejectsUnknown: true),
                .removal,
                reading: SignInContext.init
            ) { try sessions.end($1) },
            ExposedAction(
                own: ListSessions.self,
                Declarations(own: ListSessions.self),
                .nothing(rejectsUnknown: true),
                .json(location: nil),
                reading: SignInContext.init
            ) { try sessions.list(for: $1.secrets) },
            ExposedAction(own: RevokeSession.self, .nothing) { input, author in
                guard let caller = sessions.end(id: input.id) else {
                    throw Problem.notFound("there is no such session; GET /sessions lists them")
                }
                // The session ends first: it must not outlive an unavailable store.
                try await stored?.backend.record(
                    AdministrationEntry(
                        .endSession,
                        to: ["session": .string(input.id), "caller": .string(caller)],
                        by: AdministrationAuthor(author)
                    )
                )
            },
        ]
    }
}

/// The parts of a request that sign-in reads.
struct SignInContext: Sendable {
    /// The secrets of the session's cookies; none if they don't count in this request.
    let secrets: [String]
    /// Whether the request has a cookie that doesn't count.
    let hasForeignCookie: Bool
    /// The cookie of this scheme and port.
    let cookie: SessionCookie
    /// Whether a page of another origin sent the request.
    let isForeign: Bool
    /// Whether the request's page came over TLS.
    let isFromTLS: Bool
    let caller: Caller?
    let address: IPAddress?
    /// The address as a key for limits.
    let key: RateLimiter.Key

    init(_ request: borrowing Request) {
        let shown = ServerRequest(request.head, from: request.peer)
        let isOwn = shown.isOfOwnPage
        let secrets = SessionCookie.values(in: request.head)
        self.secrets = isOwn ? secrets : []
        hasForeignCookie = !isOwn && !secrets.isEmpty
        cookie = SessionCookie(of: request.head)
        isForeign = !isOwn && request.head.isFromBrowser
        isFromTLS = shown.head.headerFields[.origin]?.hasPrefix("https:") == true
        caller = request.caller
        address = request.peer.address
        key = request.addressKey
    }
}

extension ConsoleSessions {
    /// Signs a browser in.
    fileprivate func create(
        _ input: CreateSession.Input,
        _ context: SignInContext,
        _ rejections: RejectedCredentials?
    ) throws -> SessionInfo {
        // Another page could sign its visitor in as somebody else.
        guard !context.isForeign else {
            throw Problem.forbidden("only a page of this server can sign a browser in")
        }
        let rejection: String
        switch (input.code, input.token) {
        case (let code?, nil):
            // The failures of others at the address don't keep the link's owner out.
            if codes.redeem(code) { return try info(ofNew: .console, context) }
            rejection =
                "the code is wrong, was used or has expired: send the server SIGUSR1, and it "
                + "prints another link on its terminal"
            try limits.check(context.key)
        case (nil, let text?):
            try limits.check(context.key)
            if let token = try verify(text) { return try info(ofNew: .token(token), context) }
            rejection = "the token is not valid, or has expired"
        default:
            throw Problem.unprocessableContent("send a code or a token, and only one of them")
        }
        limits.countFailure(of: context.key)
        rejections?.note(from: context.address)
        throw Problem.forbidden(rejection)
    }

    /// Begins a session in place of the browser's previous one.
    private func info(ofNew holder: Holder, _ context: SignInContext) throws -> SessionInfo {
        context.secrets.forEach(end)
        let secret = begin(holder, from: context.address)
        let standing = try standing(of: secret)
        var info = SessionInfo(standing?.caller, until: standing?.end)
        info.cookie = context.cookie.field(storing: secret, fromTLS: context.isFromTLS)
        return info
    }

    /// Ends the session of a request, if it has one.
    fileprivate func end(_ context: SignInContext) throws -> RemovedCookie {
        guard !context.isForeign, !context.hasForeignCookie else {
            throw Problem.forbidden(
                "the session's cookie needs Sec-Fetch-Site or Origin of a page of this server"
            )
        }
        context.secrets.forEach(end)
        return RemovedCookie(field: context.cookie.removal)
    }

    /// Describes a request's caller.
    fileprivate func describe(_ context: SignInContext) throws -> SessionInfo {
        guard let caller = context.caller else { return SessionInfo(nil, until: nil) }
        // A token in `Authorization` takes precedence over the session.
        for secret in context.secrets {
            guard let standing = try standing(of: secret), standing.caller.id == caller.id
            else { continue }
            return SessionInfo(caller, until: standing.end)
        }
        return SessionInfo(caller, until: expiry(of: caller))
    }
}

extension OutputForm<SessionInfo> {
    /// 200 with the session as JSON, and its cookie.
    fileprivate static var session: Self {
        OutputForm(description: .value(SessionInfo.self, .never)) { info, _ in
            let cookie = info.cookie.map { [("Set-Cookie", $0)] } ?? []
            return Response(
                status: 200,
                fields: ResponseFields([("Content-Type", "application/json")] + cookie),
                body: .bytes(try JSON.encode(info))
            )
        }
    }
}

extension OutputForm<RemovedCookie> {
    /// 204 that removes the session's cookie.
    fileprivate static var removal: Self {
        OutputForm(description: .nothing) { cookie, _ in
            Response(
                status: 204,
                fields: ResponseFields([("Set-Cookie", cookie.field)]),
                body: .none
            )
        }
    }
}
