import HTTPCodec
import HTTPServer
import Telemetry

/// Answers on the operations port: the page of metrics, and the probes.
final class OperationsResponder: Responder {
    private static let path: StaticString = "/metrics"

    private let metrics: ServerMetrics
    private let probes: ServerResponder
    var bodyLimit: Int { probes.bodyLimit }

    init(_ metrics: ServerMetrics, probes: ServerResponder) {
        self.metrics = metrics
        self.probes = probes
    }

    func admit(_ head: RequestHead) -> Admission { probes.admit(head) }

    func respond(_ head: RequestHead, body: ByteSpan) -> Reply {
        guard head.path.equals(Self.path), head.method == .get || head.method == .head else {
            return probes.respond(head, body: body)
        }
        let accept = head.field("accept").map { String(decoding: $0, as: UTF8.self) }
        let format = MetricsText(accepting: accept)
        let fields = Response.fieldLines([
            ("Content-Type", format.mediaType), ("Cache-Control", "no-store"), ("Vary", "Accept"),
        ])
        let page = Array(format.render(metrics.families()).utf8)
        let response = Response(status: 200, fields: fields, body: .bytes(page))
        return EntityTags.judge(.now(response), to: head, .untagged, .none)
    }

    func respond(_ head: RequestHead, stream: BodyStream) -> Reply {
        probes.respond(head, stream: stream)
    }
}
