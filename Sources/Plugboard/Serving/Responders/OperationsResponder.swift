import HTTPSyntax
import HTTPServer
import Telemetry

/// The responder of the operations port: metrics and probes.
final class OperationsResponder: Responder {
    private static let path: StaticString = "/metrics"

    private let metrics: ServerMetrics
    private let probes: ServerResponder
    private let gate: RequestGate
    var bodyLimit: Int { probes.bodyLimit }

    init(_ metrics: ServerMetrics, probes: ServerResponder, gate: RequestGate) {
        self.metrics = metrics
        self.gate = gate
        self.probes = probes
    }

    /// The metrics page counts the other port's loops only.
    func attach(_ counters: LoopCounters) {}

    func rejected(_ error: ProtocolError, from peer: Peer) {}

    func admit(_ incoming: borrowing IncomingRequest) -> Admission {
        if let refusal = gate.refusal(incoming) { return .reject(.now(refusal)) }
        let head = incoming.head
        guard isPage(head) else {
            var request = probes.begin(incoming)
            return probes.admit(&request)
        }
        switch head.method {
        case .get, .head: return .collect(upTo: bodyLimit, nil)
        default:
            guard case .now(let answer) = answer(head), answer.status >= 400 else {
                return .collect(upTo: bodyLimit, nil)
            }
            return .reject(.now(answer))
        }
    }

    func respond(_ incoming: borrowing IncomingRequest, body: ByteSpan) -> Reply {
        if let refusal = gate.refusal(incoming) { return .now(refusal) }
        guard !isPage(incoming.head) else { return answer(incoming.head) }
        if probes.hasLateAuthenticators, probes.isPending(incoming) {
            let bytes = Array(body)
            return probes.identifying(incoming) { [self] incoming in
                bytes.withUnsafeBufferPointer { respond(incoming, body: $0) }
            }
        }
        var request = probes.begin(incoming)
        return probes.respond(&request, body: body)
    }

    private func isPage(_ head: RequestHead) -> Bool { head.path.equals(Self.path) }

    private func answer(_ head: RequestHead) -> Reply {
        guard head.method != .unknown else { return ServerResponder.unimplemented }
        return probes.reads(head) { page(head) }
    }

    private func page(_ head: RequestHead) -> Reply {
        let format = MetricsText(acceptedBy: head)
        let fields = ResponseFields([
            ("Content-Type", format.mediaType.description), ("Cache-Control", "no-store"),
            ("Vary", "Accept"),
        ])
        let page = Array(format.render(metrics.families()).utf8)
        let response = Response(status: 200, fields: fields, body: .bytes(page))
        return EntityTags.judge(.now(response), to: head, .untagged, .none)
    }

    func respond(_ incoming: borrowing IncomingRequest, stream: BodyStream) -> Reply {
        if let refusal = gate.refusal(incoming) { return .now(refusal) }
        if probes.hasLateAuthenticators, probes.isPending(incoming) {
            return probes.identifying(incoming) { [self] in respond($0, stream: stream) }
        }
        var request = probes.begin(incoming)
        return probes.respond(&request, stream: stream)
    }
}
