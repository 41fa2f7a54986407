import HTTPSyntax
import HTTPServer
import HTTPTypes
import JSONCodec
import Plug
import PlugHTTP

// Responses to requests for actions.
extension ServerResponder {
    /// Responds to a request for an action with a policy.
    @inline(never)
    func governed(
        _ policy: ActionPolicy,
        _ action: ExposedAction,
        _ request: inout Request,
        _ body: ByteSpan,
        _ perform: (inout Request) -> Reply
    ) -> Reply {
        if let refusal = policy.refusal(&request, for: action, logger) { return .now(refusal) }
        func answer(_ request: inout Request) -> Reply {
            policy.answer(
                &request,
                for: action,
                body,
                coding: policy.tagsAnswers ? coding(ofTagged: request.head) : coding,
                tools: tools,
                perform
            )
        }
        // `If-Match` also performs the GET action, whose plug needs the same key.
        guard let key = PlugKey.of(request, callers) else { return answer(&request) }
        return PlugKey.within(key) { answer(&request) }
    }

    /// The general policy, for a request with a field that needs one; nil for all others.
    @inline(__always)
    func policy(_ head: RequestHead) -> ActionPolicy? {
        head.demands.isEmpty ? nil : general
    }

    /// Performs an action without a policy.
    func performAlone(
        _ action: ExposedAction,
        _ request: inout Request,
        _ body: ByteSpan
    ) -> Reply {
        guard let key = PlugKey.of(request, callers) else { return perform(action, &request, body) }
        return PlugKey.within(key) { perform(action, &request, body) }
    }

    func perform(
        _ action: ExposedAction,
        _ request: inout Request,
        _ body: ByteSpan
    ) -> Reply {
        do {
            return try answer(action, &request, body)
        } catch {
            request.subject.isCall = false
            return .now(ProblemResponse.make(Problem(for: error)))
        }
    }

    private func answer(
        _ action: ExposedAction,
        _ request: inout Request,
        _ body: ByteSpan
    ) throws -> Reply {
        if let query = request.head.query {
            if !action.hasBody {
                request.members += try Query.members(of: query)
            } else if let mixture = action.mixture {
                request.members += try mixture.members(of: query)
            }
        }
        request.subject.isCall = true
        guard action.hasBody, !body.isEmpty else {
            if let mixture = action.mixture {
                if mixture.isTyped, let refusal = refusal(ofType: request.head, action) {
                    request.subject.isCall = false
                    return .now(refusal)
                }
                if let member = try mixture.member(of: body) { request.members.append(member) }
            }
            return try action.answer(request, ByteSpan(start: nil, count: 0), tools)
        }
        let coding = ContentEncoding(request.head)
        if let refusal = refusal(request.head, coding, action) {
            request.subject.isCall = false
            return .now(refusal)
        }
        guard coding == .gzip else { return try answer(action, &request, plain: body) }
        if let stream = action.stream {
            return try perform(stream, request, RequestBody(whole: Array(body)))
        }
        let limit = bodyLimit(bodyLimit, of: request.head)
        return try BodyDecoding.inflate(body, upTo: limit) { body in
            try answer(action, &request, plain: body)
        }
    }

    /// Responds to a request whose body is JSON or a form, which is parsed like a query.
    private func answer(
        _ action: ExposedAction,
        _ request: inout Request,
        plain body: ByteSpan
    ) throws -> Reply {
        if let member = try action.mixture?.member(of: body) {
            request.members.append(member)
            return try action.answer(request, ByteSpan(start: nil, count: 0), tools)
        }
        guard let type = request.head.field("content-type"), MediaType(type).isForm,
            action.stream == nil
        else { return try action.answer(request, body, tools) }
        // curl sends this type by default. No form begins so, and the form parser would take the
        // document as a member's name.
        let first = body.first { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            throw Problem(
                status: .unsupportedMediaType,
                detail: "the body is JSON, not a form: send Content-Type: application/json"
            )
        }
        request.members += try Query.members(of: body, in: "form")
        return try action.answer(request, ByteSpan(start: nil, count: 0), tools)
    }

    func perform(
        _ stream: ExposedAction.Stream,
        _ request: borrowing Request,
        _ body: RequestBody
    ) throws -> Reply {
        let isCoded = ContentEncoding(request.head) == .gzip
        let limit = bodyLimit(streamLimit, of: request.head)
        let plain = isCoded ? BodyDecoding.inflate(body, upTo: limit) : body
        return try stream(request, plain, tools)
    }

    /// Checks the head's fields about the body, and returns the response of a rejected request.
    ///
    /// `mayBeEmpty` is whether the body has neither arrived nor a length. An empty one needs no type.
    func refusal(
        _ head: RequestHead,
        _ coding: ContentEncoding,
        _ action: ExposedAction,
        mayBeEmpty: Bool = false
    ) -> Response? {
        if coding == .other { return BodyDecoding.refusal }
        // A part must not replace the whole resource (RFC 9110 §14.5).
        if action.method == .put, head.field("content-range") != nil {
            return ProblemResponse.make(400, "a PUT must not have a Content-Range")
        }
        guard action.stream == nil else { return nil }
        return refusal(ofType: head, action, isEmpty: mayBeEmpty)
    }

    /// Checks the body's media type: JSON, a form, or a type that the action lists.
    ///
    /// A body without a type is rejected (RFC 9110 §15.5.16): a browser sends one for any page, even
    /// to actions that a form can't reach.
    private func refusal(
        ofType head: RequestHead,
        _ action: ExposedAction,
        isEmpty: Bool = false
    ) -> Response? {
        guard let type = head.field("content-type") else {
            return isEmpty ? nil : otherType(action)
        }
        // A proxy may have used the other one (RFC 9110 §5.3).
        guard head.count(of: "content-type") == 1 else {
            return ProblemResponse.make(400, "the request has more than one Content-Type")
        }
        if let mixture = action.mixture, mixture.isWhole {
            return mixture.takes(type) ? nil : otherType(action)
        }
        let isAccepted =
            MediaType(type).isJSON || action.declarations.acceptsForms && MediaType(type).isForm
        return isAccepted ? nil : otherType(action)
    }

    /// Returns a 415 with the accepted types; for a patch also in `Accept-Patch` (RFC 5789 §2.2).
    private func otherType(_ action: ExposedAction) -> Response {
        let types = action.bodyTypes
        let list = types.joined(separator: ", ")
        return ProblemResponse.make(
            415,
            "the body must be \(types.joined(separator: " or ")): set Content-Type",
            fields: [("Accept", list)] + (action.method == .patch ? [("Accept-Patch", list)] : [])
        )
    }
}

// The settings of middleware that apply before it.
extension ServerResponder {
    /// Returns the size limit of a request's body: the lowest of `limit` and the rules'.
    func bodyLimit(_ limit: Int, of head: RequestHead) -> Int {
        rules(for: head).compactMap(\.bodyLimit).reduce(limit, min)
    }

    /// Returns the compression of a tagged response.
    ///
    /// A tag names the compressed bytes, so a middleware would compress too late.
    @inline(__always)
    func coding(ofTagged head: RequestHead) -> ResponseCompression {
        rules.isEmpty
            ? coding
            : rules(for: head).compactMap(\.coding).reduce(coding, ResponseCompression.sooner)
    }

    private func rules(for head: RequestHead) -> [PathRule] {
        rules.filter { head.path.starts(with: $0.prefix.utf8) }
    }
}
