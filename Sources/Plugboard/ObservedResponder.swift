import HTTPSyntax
import HTTPServer
import Locking
import Logging
import Telemetry
import TraceContext
import Tracing

/// A loop's outermost responder: counts every request, and logs it where that is asked for.
final class ObservedResponder: Responder {
    private let middleware: MiddlewareResponder?
    private let site: ServerResponder
    private let requests: RequestCounters
    private let observation: LoopObservation
    private let log: AccessLogWriter?
    private let tracing: RequestTracing
    /// Whether every request is followed, and not only one that is known elsewhere.
    private let followsAll: Bool
    let bodyLimit: Int
    private var counters: LoopCounters?

    init(
        _ site: ServerResponder,
        behind middleware: MiddlewareResponder?,
        _ observation: LoopObservation,
        tracing: RequestTracing,
        log: AccessLogWriter?
    ) {
        self.middleware = middleware
        self.site = site
        self.observation = observation
        requests = observation.requests
        self.log = log
        self.tracing = tracing
        followsAll = tracing.followsAll
        bodyLimit = site.bodyLimit
    }

    func attach(_ loop: any ServingLoop) {
        counters = loop.counters
        observation.attach(loop.counters)
        middleware?.attach(loop)
        site.attach(loop)
    }

    func refused(_ error: ProtocolError) {
        let refused = RequestSubject(route: RequestSubject.Route.refused)
        count(refused, .unknown, error.status)
        if let log, log.wants(refused.route, error.status) {
            log.write(LoggedRequest(from: counters?.serving), status: error.status)
        }
    }

    func admit(_ head: RequestHead) -> Admission {
        site.subject = RequestSubject()
        let admission = site.admit(head)
        guard case .refuse(let refusal) = admission else { return admission }
        // A refusal passes the middleware, and has its span, like any other answer.
        guard followsAll || head.isKnownElsewhere else {
            return .refuse(observing(head, middleware?.pass(refusal, to: head) ?? refusal))
        }
        return .refuse(following(head) { middleware?.pass(refusal, to: head) ?? refusal })
    }

    func respond(_ head: RequestHead, body: ByteSpan) -> Reply {
        if middleware == nil, let document = site.document(head) {
            observe(head, RequestSubject(route: RequestSubject.Route.behaviors), document)
            return .now(document)
        }
        guard followsAll || head.isKnownElsewhere else {
            return observing(head, answer(head, body))
        }
        return following(head) { answer(head, body) }
    }

    func respond(_ head: RequestHead, stream: BodyStream) -> Reply {
        guard followsAll || head.isKnownElsewhere else {
            return observing(head, answer(head, stream))
        }
        return following(head) { answer(head, stream) }
    }

    @inline(__always)
    private func answer(_ head: RequestHead, _ body: ByteSpan) -> Reply {
        middleware?.respond(head, body: body) ?? site.respond(head, body: body)
    }

    private func answer(_ head: RequestHead, _ stream: BodyStream) -> Reply {
        middleware?.respond(head, stream: stream) ?? site.respond(head, stream: stream)
    }

    /// Answers a request that is part of a trace, or known by an ID, so that whatever it calls
    /// knows.
    @inline(never)
    private func following(_ head: RequestHead, _ answer: () -> Reply) -> Reply {
        let start = DefaultTracerClock.now
        var context = tracing.context(of: head)
        // With a tracer no action is performed before there is a span.
        let reply = tracing.within(context, answer)
        let span = tracing.begin(
            head,
            for: site.subject.route,
            from: counters?.serving,
            at: start,
            in: context
        )
        if let span {
            let id = context.request?.requestID
            context = span.context
            context.request = RequestIdentity(requestID: id, span: span)
        }
        let position = log == nil ? nil : tracing.position(of: context)
        switch reply {
        case .now(let response):
            observe(head, site.subject, response, position)
            if let span { RequestTracing.end(span, response.status) }
            return reply
        case .later(let work):
            let work = observing(head, tracing.within(context, work), position)
            guard let span else { return .later(work) }
            return .later {
                let response = await work()
                RequestTracing.end(span, Task.isCancelled ? nil : response.status)
                return response
            }
        }
    }

    // MARK: Observing

    @inline(__always)
    private func observe(
        _ head: RequestHead,
        _ subject: RequestSubject,
        _ response: Response,
        _ position: TraceParent? = nil
    ) {
        let duration = subject.began == 0 ? 0 : RequestSubject.now() - subject.began
        count(subject, head.method, response.status, duration)
        if log != nil { write(head, subject, response, duration, position) }
    }

    @inline(never)
    private func write(
        _ head: RequestHead,
        _ subject: RequestSubject,
        _ response: Response,
        _ duration: Int,
        _ position: TraceParent?
    ) {
        guard let log, log.wants(subject.route, response.status) else { return }
        let request = LoggedRequest(head, from: counters?.serving, position)
        log.write(request, response, nanoseconds: duration)
    }

    @inline(__always)
    private func count(
        _ subject: RequestSubject,
        _ method: Method,
        _ status: UInt16,
        _ duration: Int = 0
    ) {
        requests.count(
            RequestCounters.Key(
                route: subject.route,
                method: method.rawValue,
                status: status,
                isCall: subject.isCall
            ),
            nanoseconds: duration
        )
    }

    @inline(__always)
    private func observing(_ head: RequestHead, _ reply: consuming Reply) -> Reply {
        // Taken apart and put together again: that copies nothing.
        switch consume reply {
        case .now(let response):
            observe(head, site.subject, response)
            return .now(response)
        case .later(let work): return .later(observing(head, work))
        }
    }

    /// Goes on with an answer that takes its time.
    private func observing(
        _ head: RequestHead,
        _ work: @escaping Reply.Work,
        _ position: TraceParent? = nil
    ) -> Reply.Work {
        let (subject, method) = (site.subject, head.method)
        let began = subject.began == 0 ? RequestSubject.now() : subject.began
        let (observation, log) = (observation, log)
        // Whether it fails isn't known yet.
        let request =
            log == nil || RequestSubject.Route.isProbe(subject.route)
            ? nil : LoggedRequest(head, from: counters?.serving, position)
        observation.begin()
        return {
            let response = await work()
            let duration = RequestSubject.now() - began
            // The client has gone, and won't see what was made for it.
            let status = Task.isCancelled ? Self.clientClosedRequest : response.status
            observation.end(
                RequestCounters.Key(
                    route: subject.route,
                    method: method.rawValue,
                    status: status,
                    isCall: subject.isCall
                ),
                nanoseconds: duration
            )
            if let log, let request, log.wants(subject.route, status) {
                log.write(request, response, status: status, nanoseconds: duration)
            }
            return response
        }
    }

    /// No status of HTTP: what logs have called an answer to a client that didn't wait for it
    /// since nginx did.
    private static let clientClosedRequest: UInt16 = 499
}
