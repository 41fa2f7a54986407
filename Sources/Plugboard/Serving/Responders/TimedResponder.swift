import HTTPSyntax
import HTTPServer
import Tracing

/// A loop's responder that adds `Server-Timing` to its responses.
///
/// It exists only with ``Server/Configuration/serverTiming``.
final class TimedResponder: Responder {
    private let inner: ObservedResponder
    var bodyLimit: Int { inner.bodyLimit }

    init(_ inner: ObservedResponder) { self.inner = inner }

    func attach(_ counters: LoopCounters) { inner.attach(counters) }

    func rejected(_ error: ProtocolError, from peer: Peer) { inner.rejected(error, from: peer) }

    func admit(_ request: borrowing IncomingRequest) -> Admission {
        let timings = Timings()
        let admission = inner.admit(request)
        guard case .reject(let reply) = admission else { return admission }
        return .reject(timing(timings) { reply })
    }

    func respond(_ request: borrowing IncomingRequest, body: ByteSpan) -> Reply {
        timing { inner.respond(request, body: body) }
    }

    func respond(_ request: borrowing IncomingRequest, stream: BodyStream) -> Reply {
        timing { inner.respond(request, stream: stream) }
    }

    private func timing(_ timings: Timings = Timings(), _ answer: () -> Reply) -> Reply {
        var context = ServiceContext.topLevel
        context.timings = timings
        switch ServiceContext.withValue(context, operation: answer) {
        case .now(let response): return .now(timings.tell(response))
        case .later(let work):
            return .later { [context] in
                timings.tell(await ServiceContext.withValue(context) { await work() })
            }
        }
    }
}
