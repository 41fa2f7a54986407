import Glibc
import HTTPSyntax
import HTTPServer
import Logging

// Responses without an action: behavior documents, public files, `OPTIONS` and errors.
extension ServerResponder {
    func answerWithoutAction(_ request: inout Request) -> Reply {
        let head = request.head
        guard head.method != .unknown else { return Self.unimplemented }
        // The server opens no tunnels. The authority isn't one of its resources (RFC 9110 §9.3.6).
        guard head.method != .connect else { return .now(notAllowed(methods)) }
        if head.path.equals("*") { return .now(allow(methods)) }
        if let answer = documentAnswer(&request) { return answer }
        // A document's path accepts only reads, whether or not the document exists.
        if named != nil, NamedBehaviors.fits(head.path) {
            return reads(head) { answerFile(&request) }
        }
        if let match = try? routes.match(head.path, head.method, &request.members),
            case .otherMethods(let methods) = match
        {
            guard head.method == .options else { return .now(notAllowed(methods)) }
            return .now(allow(methods, patches: patches(&request, methods)))
        }
        if let console, console.has(head.path) {
            request.subject.route = RequestSubject.Route.console
            return reads(head) { console.answer(head) ?? .now(notFound) }
        }
        return answerFile(&request)
    }

    /// Responds to any request for a behavior document; returns nil for another path.
    private func documentAnswer(_ request: inout Request) -> Reply? {
        let incoming = request.incoming
        if behaviors != nil, incoming.head.path.equals(BehaviorsResponse.path) {
            request.subject.route = RequestSubject.Route.behaviors
            return reads(request.head) { answerBehaviors(incoming) }
        }
        if named?.has(incoming.head.path) == true {
            request.subject.route = RequestSubject.Route.namedBehaviors
            return reads(request.head) { namedDocument(incoming) ?? .now(notFound) }
        }
        return nil
    }

    /// Whether a write's path matches an action's `/behaviors/{name}`, but is a document's.
    func isDocument(_ request: borrowing Request) -> Bool {
        switch request.head.method {
        case .put, .patch, .delete:
            named != nil && !request.members.isEmpty && NamedBehaviors.fits(request.head.path)
        default: false
        }
    }

    func answerBehaviors(_ request: borrowing IncomingRequest) -> Reply {
        behaviors?.answer(request, now: now) ?? .now(notFound)
    }

    /// Responds with the document at the request's path; returns nil if it doesn't exist.
    func namedDocument(_ request: borrowing IncomingRequest) -> Reply? {
        switch request.head.method {
        case .get, .head: named?.answer(request, now: now)
        default: nil
        }
    }

    /// The time as in `Date`, which the loop reads from the same coarse clock.
    ///
    /// A Last-Modified must not be later than Date (RFC 9110 §8.8.2.1).
    private var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return time.tv_sec
    }

    private func answerFile(_ request: inout Request) -> Reply {
        let head = request.head
        guard let files else { return .now(notFound) }
        switch files.folder.lookUp(head.path) {
        case .file(let file):
            request.subject.route = RequestSubject.Route.files
            return reads(head) { files.answer(head, file, now: now) }
        case .folder:
            return reads(head) {
                let query = head.query.map { "?" + Self.escaped($0) } ?? ""
                let location = Self.escaped(head.rawPath) + "/" + query
                // A client would read a leading "//" as another host.
                guard !location.hasPrefix("//") else { return .now(notFound) }
                return .now(
                    Response(
                        status: 301,
                        fields: ResponseFields([("Location", location)])
                    )
                )
            }
        case .missing: return .now(notFound)
        case .forbidden: return .now(ProblemResponse.make(403, "this file isn't public"))
        case .busy:
            return .now(
                ProblemResponse.make(
                    503,
                    "the server has too many open files: retry in 1 s",
                    fields: [("Retry-After", "1")]
                )
            )
        case .failed(let error):
            logger.error("a public file can't be read: \(error)")
            return .now(ProblemResponse.make(503, nil))
        }
    }

    /// Escapes the characters that RFC 3986 §3.3 and §3.4 forbid and browsers send.
    ///
    /// Path and query are parts of a `Location` (RFC 9110 §10.2.2).
    private static func escaped(_ part: ByteSpan) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = part.indices.flatMap { index -> [UInt8] in
            let byte = part[index]
            switch byte {
            case 0x25 where PercentCoding.octet(in: part, at: index) == nil:
                return [0x25, 0x32, 0x35]
            case 0x5B...0x5E, 0x60, 0x7B...0x7D, 0x22, 0x3C, 0x3E, 0x80...:
                return [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: return [byte]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The response to a method that isn't registered (RFC 9110 §15.6.2).
    ///
    /// A registered one, such as TRACE or PROPFIND, is 405: a scanner causes no server errors.
    static var unimplemented: Reply {
        .now(ProblemResponse.make(501, "this server doesn't implement the method"))
    }

    /// The methods of the server as a whole (RFC 9110 §9.3.7).
    private var methods: [Method] {
        let reads: [Method] = behaviors != nil || files != nil ? [.get] : []
        return reads + routes.all.map(\.action.method)
    }

    /// Responds to a request for a read-only resource.
    func reads(_ head: RequestHead, _ answer: () -> Reply) -> Reply {
        switch head.method {
        case .get, .head: answer()
        case .options: .now(allow([.get]))
        default: .now(notAllowed([.get]))
        }
    }

    private var notFound: Response {
        ProblemResponse.make(404, Problem.unknownPath)
    }

    private func notAllowed(_ methods: [Method]) -> Response {
        let allowed = Self.allowed(methods)
        return ProblemResponse.make(
            405,
            "the resource doesn't support this method: use one of \(allowed)",
            fields: [("Allow", allowed)]
        )
    }

    private func allow(_ methods: [Method], patches: [String] = []) -> Response {
        var fields = [("Allow", Self.allowed(methods))]
        if !patches.isEmpty { fields.append(("Accept-Patch", patches.joined(separator: ", "))) }
        return Response(status: 204, fields: ResponseFields(fields), body: .none)
    }

    /// The media types of patches that a resource accepts (RFC 5789 §3.1).
    private func patches(_ request: inout Request, _ methods: [Method]) -> [String] {
        guard methods.contains(.patch),
            case .action(let action, _)? = try? routes.match(
                request.head.path,
                .patch,
                &request.members
            )
        else { return [] }
        return action.bodyTypes
    }

    /// The methods as a value of `Allow`: HEAD comes with GET, and OPTIONS is always included.
    private static func allowed(_ methods: [Method]) -> String {
        var methods = Set(methods + [.options])
        if methods.contains(.get) { methods.insert(.head) }
        return methods.sorted { $0.rawValue < $1.rawValue }.map(\.name.description)
            .joined(separator: ", ")
    }
}
