import Glibc
import HTTPSyntax
import HTTPServer
import Logging

// How a request is answered that no action is there for: the behavior document, the public files, and
// what can be said of a resource without it.
extension ServerResponder {
    func answerWithoutAction(_ request: inout Request) -> Reply {
        let head = request.head
        guard Self.implements(head.method) else { return Self.unimplemented }
        if head.path.equals("*") {
            // Of the server as a whole (RFC 9110 §9.3.7): what some resource of it knows.
            let reads: [Method] = behaviors != nil || files != nil ? [.get] : []
            return .now(allow(reads + routes.all.map(\.action.method)))
        }
        if let answer = documentAnswer(&request) { return answer }
        // What a document could be at is a document, a file or nothing: no other method's.
        if named != nil, NamedBehaviors.fits(head.path) {
            return reads(head) { answerFile(&request) }
        }
        if let match = try? routes.match(head.path, head.method, &request.members),
            case .otherMethods(let methods) = match
        {
            guard head.method == .options else { return .now(notAllowed(methods)) }
            return .now(allow(methods, patches: patches(&request, methods)))
        }
        return answerFile(&request)
    }

    /// The response to any request for a behavior document; nil for another path.
    private func documentAnswer(_ request: inout Request) -> Reply? {
        let incoming = request.incoming
        if behaviors != nil, incoming.head.path.equals(BehaviorsAnswer.path) {
            request.subject.route = RequestSubject.Route.behaviors
            return reads(request.head) { answerBehaviors(incoming) }
        }
        if named?.has(incoming.head.path) == true {
            request.subject.route = RequestSubject.Route.namedBehaviors
            return reads(request.head) { namedDocument(incoming) ?? .now(notFound) }
        }
        return nil
    }

    /// Whether a path that an action takes for `/behaviors/{name}` is where a document is read.
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

    /// The response with the document at the request's path, if there is one.
    func namedDocument(_ request: borrowing IncomingRequest) -> Reply? {
        switch request.head.method {
        case .get, .head: named?.answer(request, now: now)
        default: nil
        }
    }

    /// The time as `Date` has it, which the loop reads from the same coarse clock: no answer may
    /// say that it was changed after it was sent (RFC 9110 §8.8.2.1).
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
                let location = head.rawPath.text + "/" + query
                // A path of two slashes would be read as another host's address.
                guard !location.hasPrefix("//") else { return .now(notFound) }
                return .now(
                    Response(
                        status: 301,
                        fields: ResponseFields([("Location", location)])
                    )
                )
            }
        case .missing: return .now(notFound)
        case .forbidden: return .now(ProblemAnswer.make(403, "this file is not for everyone"))
        case .busy:
            return .now(
                ProblemAnswer.make(
                    503,
                    "the server sends as many files as it may",
                    fields: [("Retry-After", "1")]
                )
            )
        case .failed(let error):
            logger.error("a public file can't be read: \(error)")
            return .now(ProblemAnswer.make(503, nil))
        }
    }

    /// A query as a reference has it (RFC 9110 §10.2.2): what browsers send and RFC 3986 §3.4 doesn't have is
    /// escaped.
    private static func escaped(_ query: ByteSpan) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = query.flatMap { byte -> [UInt8] in
            switch byte {
            case 0x5B...0x5E, 0x60, 0x7B...0x7D, 0x22, 0x3C, 0x3E, 0x80...:
                [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: [byte]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func implements(_ method: Method) -> Bool {
        switch method {
        case .unknown, .trace, .connect: false
        default: true
        }
    }

    static var unimplemented: Reply {
        .now(ProblemAnswer.make(501, "this server doesn't implement the method"))
    }

    /// Answers a resource that can only be read.
    func reads(_ head: RequestHead, _ answer: () -> Reply) -> Reply {
        switch head.method {
        case .get, .head: answer()
        case .options: .now(allow([.get]))
        default: .now(notAllowed([.get]))
        }
    }

    private var notFound: Response {
        ProblemAnswer.make(404, "there is nothing at this path")
    }

    private func notAllowed(_ methods: [Method]) -> Response {
        ProblemAnswer.make(
            405,
            "the resource has no such method",
            fields: [("Allow", Self.allowed(methods))]
        )
    }

    private func allow(_ methods: [Method], patches: [String] = []) -> Response {
        var fields = [("Allow", Self.allowed(methods))]
        if !patches.isEmpty { fields.append(("Accept-Patch", patches.joined(separator: ", "))) }
        return Response(status: 204, fields: ResponseFields(fields), body: .none)
    }

    /// The media types of the patches that a resource takes (RFC 5789 §3.1).
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

    /// The methods as `Allow` lists them: HEAD comes with GET, and OPTIONS with all.
    private static func allowed(_ methods: [Method]) -> String {
        var methods = Set(methods + [.options])
        if methods.contains(.get) { methods.insert(.head) }
        return methods.sorted { $0.rawValue < $1.rawValue }.map(\.name.description)
            .joined(separator: ", ")
    }
}
