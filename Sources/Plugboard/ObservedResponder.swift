import HTTPCodec
import HTTPServer
import Locking
import Logging
import Telemetry

/// A loop's outermost responder: counts every request, and logs it where that is asked for.
final class ObservedResponder: Responder {
    private let middleware: MiddlewareResponder?
    private let site: ServerResponder
    private let requests: RequestCounters
    private let observation: LoopObservation
    private let log: AccessLogWriter?
    let bodyLimit: Int
    private var counters: LoopCounters?

    init(
        _ site: ServerResponder,
        behind middleware: MiddlewareResponder?,
        _ observation: LoopObservation,
        log: AccessLogWriter?
    ) {
        self.middleware = middleware
        self.site = site
        self.observation = observation
        requests = observation.requests
        self.log = log
        bodyLimit = site.bodyLimit
    }

    func attach(_ loop: any ServingLoop) {
        counters = loop.counters
        observation.attach(loop.counters)
        middleware?.attach(loop)
    }

    func refused(_ error: ProtocolError) {
        let refused = RequestSubject(route: RequestSubject.Route.refused)
        count(refused, .unknown, error.status)
        if let log, log.wants(refused.route, error.status) {
            log.write(log.entry(counters?.serving), status: error.status)
        }
    }

    func admit(_ head: RequestHead) -> Admission {
        site.subject = RequestSubject()
        let admission = site.admit(head)
        if case .refuse(let response) = admission { observe(head, site.subject, response) }
        return admission
    }

    func respond(_ head: RequestHead, body: ByteSpan) -> Reply {
        guard let middleware else {
            if let document = site.document(head) {
                observe(head, RequestSubject(route: RequestSubject.Route.behaviors), document)
                return .now(document)
            }
            return observing(head, site.respond(head, body: body))
        }
        return observing(head, middleware.respond(head, body: body))
    }

    func respond(_ head: RequestHead, stream: BodyStream) -> Reply {
        let reply =
            middleware?.respond(head, stream: stream) ?? site.respond(head, stream: stream)
        return observing(head, reply)
    }

    // MARK: Observing

    @inline(__always)
    private func observe(_ head: RequestHead, _ subject: RequestSubject, _ response: Response) {
        let duration = subject.began == 0 ? 0 : RequestSubject.now() - subject.began
        count(subject, head.method, response.status, duration)
        if log != nil { write(head, subject, response, duration) }
    }

    @inline(never)
    private func write(
        _ head: RequestHead,
        _ subject: RequestSubject,
        _ response: Response,
        _ duration: Int
    ) {
        guard let log, log.wants(subject.route, response.status) else { return }
        log.write(log.entry(head, counters?.serving), response, nanoseconds: duration)
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
    private func observing(_ head: RequestHead, _ work: @escaping Reply.Work) -> Reply.Work {
        let (subject, method) = (site.subject, head.method)
        let began = subject.began == 0 ? RequestSubject.now() : subject.began
        let (observation, log) = (observation, log)
        let entry = log.flatMap { log in
            // Whether it fails isn't known yet.
            RequestSubject.Route.isProbe(subject.route)
                ? nil : log.entry(head, counters?.serving)
        }
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
            if let log, let entry, log.wants(subject.route, status) {
                log.write(entry, response, status: status, nanoseconds: duration)
            }
            return response
        }
    }

    /// No status of HTTP: what logs have called an answer to a client that didn't wait for it
    /// since nginx did.
    private static let clientClosedRequest: UInt16 = 499
}

/// What is counted on one loop.
final class LoopObservation: Sendable {
    /// Requests that were answered when they were read; counted on the loop's thread alone.
    let requests = RequestCounters()
    /// The others: a task whose loop has ended goes on elsewhere.
    private let promised = Locked(Promised())
    private let attached = Locked<LoopCounters?>(nil)

    private struct Promised {
        let requests = RequestCounters()
        var inFlight = 0
    }

    var counters: LoopCounters? { attached.withLock { $0 } }

    /// Requests whose answer is being made.
    var inFlight: Int { promised.withLock { $0.inFlight } }

    func attach(_ counters: LoopCounters) {
        attached.withLock { $0 = counters }
    }

    func begin() {
        promised.withLock { $0.inFlight += 1 }
    }

    func end(_ key: RequestCounters.Key, nanoseconds: Int) {
        promised.withLock { promised in
            promised.inFlight -= 1
            promised.requests.count(key, nanoseconds: nanoseconds)
        }
    }

    /// All that was counted, from any thread.
    func totals() -> [(key: RequestCounters.Key, total: RequestCounters.Total)] {
        requests.totals() + promised.withLock { $0.requests }.totals()
    }
}
