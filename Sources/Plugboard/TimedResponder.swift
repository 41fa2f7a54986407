import HTTPSyntax
import HTTPServer
import Tracing

/// A loop's responder that says how long its responses took.
///
/// It is there only where that is wanted.
final class TimedResponder: Responder {
    private let inner: ObservedResponder
    var bodyLimit: Int { inner.bodyLimit }

    init(_ inner: ObservedResponder) { self.inner = inner }

    func attach(_ loop: any ServingLoop) { inner.attach(loop) }

    func refused(_ error: ProtocolError) { inner.refused(error) }

    func admit(_ head: RequestHead) -> Admission {
        let timings = Timings()
        let admission = inner.admit(head)
        guard case .refuse(let reply) = admission else { return admission }
        return .refuse(timing(timings) { reply })
    }

    func respond(_ head: RequestHead, body: ByteSpan) -> Reply {
        timing { inner.respond(head, body: body) }
    }

    func respond(_ head: RequestHead, stream: BodyStream) -> Reply {
        timing { inner.respond(head, stream: stream) }
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
