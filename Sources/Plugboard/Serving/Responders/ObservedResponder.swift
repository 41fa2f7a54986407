import HTTPSyntax
import HTTPServer
import Locking
import Logging
import Telemetry
import TraceContext
import Tracing

/// A loop's outermost responder, which counts requests and writes the access log.
final class ObservedResponder: Responder {
    private let middleware: MiddlewareResponder?
    private let site: ServerResponder
    private let gate: RequestGate
    private let requests: RequestCounters
    private let observation: LoopObservation
    private let log: AccessLogWriter?
    private let tracing: RequestTracing
    /// Whether all requests are traced, or only those with a trace context or an ID.
    private let followsAll: Bool
    let bodyLimit: Int

    init(
        _ site: ServerResponder,
        behind middleware: MiddlewareResponder?,
        gate: RequestGate,
        _ observation: LoopObservation,
        tracing: RequestTracing,
        log: AccessLogWriter?
    ) {
        self.middleware = middleware
        self.gate = gate
        self.site = site
        self.observation = observation
        requests = observation.requests
        self.log = log
        self.tracing = tracing
        followsAll = tracing.followsAll
        bodyLimit = site.bodyLimit
    }

    func attach(_ counters: LoopCounters) {
        observation.attach(counters)
    }

    func rejected(_ error: ProtocolError, from peer: Peer) {
        // No head was read, so the work has no beginning and the log line no duration.
        let subject = RequestSubject(route: RequestSubject.Route.refused, began: 0)
        requests.count(subject.key(.unknown, error.status), nanoseconds: 0)
        if let log, log.wants(subject.route, error.status) {
            log.write(LoggedRequest(from: peer), status: error.status, reason: error.detail)
        }
    }

    func admit(_ incoming: borrowing IncomingRequest) -> Admission {
        let began = RequestSubject.now()
        if let refusal = gate.refusal(incoming) {
            return .reject(.now(count(refusal, incoming, began)))
        }
        var request = site.begin(incoming, at: began)
        let admission = site.admit(&request)
        guard case .reject(let rejection) = admission else { return admission }
        // Like any other response, a rejection passes the middleware and has a span.
        return .reject(
            observing(&request) { request in middleware?.pass(rejection, to: request) ?? rejection }
        )
    }

    func respond(_ incoming: borrowing IncomingRequest, body: ByteSpan) -> Reply {
        let began = Request.start(of: incoming)
        if let refusal = gate.refusal(incoming) { return .now(count(refusal, incoming, began)) }
        if site.hasLateAuthenticators, site.isPending(incoming) {
            let bytes = Array(body)
            return site.identifying(incoming) { [self] incoming in
                bytes.withUnsafeBufferPointer { respond(incoming, body: $0) }
            }
        }
        if middleware == nil {
            switch site.document(incoming) {
            case .now(let document)?:
                let subject = RequestSubject(
                    route: RequestSubject.Route.behaviors,
                    began: began
                )
                let duration = count(subject, incoming.head.method, document)
                if log != nil { write(incoming.head, incoming.peer, subject, document, duration) }
                return .now(document)
            case .later(let work)?:
                var request = site.begin(incoming, at: began)
                request.subject.route = RequestSubject.Route.behaviors
                return .later(observed(request, work))
            case nil: break
            }
        }
        var request = site.begin(incoming, at: began)
        return observing(&request) { request in
            let reply = site.respond(&request, body: body)
            return middleware?.pass(reply, to: request, bodySize: body.count) ?? reply
        }
    }

    func respond(_ incoming: borrowing IncomingRequest, stream: BodyStream) -> Reply {
        let began = Request.start(of: incoming)
        if let refusal = gate.refusal(incoming) { return .now(count(refusal, incoming, began)) }
        if site.hasLateAuthenticators, site.isPending(incoming) {
            return site.identifying(incoming) { [self] in respond($0, stream: stream) }
        }
        var request = site.begin(incoming, at: began)
        return observing(&request) { request in
            let reply = site.respond(&request, stream: stream)
            return middleware?.pass(reply, to: request) ?? reply
        }
    }

    /// Responds to a request and counts it, in its trace context if it has one.
    @inline(__always)
    private func observing(
        _ request: inout Request,
        _ respond: (inout Request) -> Reply
    ) -> Reply {
        guard followsAll || request.head.isKnownElsewhere else {
            // The reply comes first, since the responder sets the request's subject.
            let reply = respond(&request)
            return observed(request, reply)
        }
        return following(&request, respond)
    }

    /// Responds to a request with a trace context or an ID, in that context.
    @inline(never)
    private func following(
        _ request: inout Request,
        _ respond: (inout Request) -> Reply
    ) -> Reply {
        let start = DefaultTracerClock.now
        var context = tracing.context(of: request.head)
        // With a tracer, actions are performed only once the span exists.
        let reply = tracing.within(context) { respond(&request) }
        let span = tracing.begin(request, at: start, in: context)
        if let span {
            let id = context.request?.requestID
            context = span.context
            context.request = RequestIdentity(requestID: id, span: span)
        }
        let position = log == nil ? nil : tracing.position(of: context)
        switch reply {
        case .now(let response):
            observe(request, response, position)
            if let span { RequestTracing.end(span, response.status) }
            return reply
        case .later(let work):
            let work = observed(request, tracing.within(context, work), position)
            guard let span else { return .later(work) }
            return .later {
                let response = await work()
                RequestTracing.end(span, Task.isCancelled ? nil : response.status)
                return response
            }
        }
    }

    /// Counts and logs the response to a request that was rejected before its target was matched.
    @inline(never)
    private func count(
        _ refusal: Response,
        _ incoming: borrowing IncomingRequest,
        _ began: Int
    ) -> Response {
        let subject = RequestSubject(route: RequestSubject.Route.refused, began: began)
        let duration = count(subject, .unknown, refusal)
        if log != nil { write(incoming.head, incoming.peer, subject, refusal, duration) }
        return refusal
    }

    // MARK: Observing

    @inline(__always)
    private func observe(
        _ request: borrowing Request,
        _ response: Response,
        _ position: TraceParent? = nil
    ) {
        let subject = request.subject
        let duration = count(subject, request.head.method, response)
        if log != nil {
            write(request.head, request.peer, subject, response, duration, position)
        }
    }

    /// Counts a response, and returns its duration in nanoseconds.
    @inline(__always)
    private func count(
        _ subject: RequestSubject,
        _ method: Method,
        _ response: borrowing Response
    ) -> Int {
        let duration = RequestSubject.now() - subject.began
        requests.count(subject.key(method, response.status), nanoseconds: duration)
        return duration
    }

    @inline(never)
    private func write(
        _ head: RequestHead,
        _ peer: Peer,
        _ subject: RequestSubject,
        _ response: Response,
        _ duration: Int,
        _ position: TraceParent? = nil
    ) {
        guard let log, log.wants(subject.route, response.status) else { return }
        let request = LoggedRequest(head, from: peer, position)
        log.write(request, response, nanoseconds: duration)
    }

    @inline(__always)
    private func observed(_ request: borrowing Request, _ reply: consuming Reply) -> Reply {
        // Consumed and rebuilt, which copies nothing.
        switch consume reply {
        case .now(let response):
            observe(request, response)
            return .now(response)
        case .later(let work): return .later(observed(request, work))
        }
    }

    /// Counts a promised response once it is made.
    private func observed(
        _ request: borrowing Request,
        _ work: @escaping Reply.Work,
        _ position: TraceParent? = nil
    ) -> Reply.Work {
        let (subject, method) = (request.subject, request.head.method)
        let (observation, log) = (observation, log)
        // The outcome is unknown yet, so the request's parts are stored in any case.
        let logged =
            log == nil || RequestSubject.Route.isProbe(subject.route)
            ? nil : LoggedRequest(request.head, from: request.peer, position)
        observation.begin()
        return {
            let response = await work()
            let duration = RequestSubject.now() - subject.began
            // The client has disconnected, and won't receive the response.
            let status = Task.isCancelled ? Self.clientClosedRequest : response.status
            observation.end(subject.key(method, status), nanoseconds: duration)
            if let log, let logged, log.wants(subject.route, status) {
                log.write(logged, response, status: status, nanoseconds: duration)
            }
            return response
        }
    }

    /// The logged status if the client has disconnected; nginx introduced it, HTTP doesn't define
    /// it.
    private static let clientClosedRequest: UInt16 = 499
}
