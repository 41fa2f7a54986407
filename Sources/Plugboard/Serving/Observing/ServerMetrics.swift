import AdministrationStore
import BehaviorStore
import CoreMetrics
import HTTPServer
import Locking
import PlugHTTP
import PostgreSQL
import Storage
import Telemetry

/// The server's metrics for the metrics page.
///
/// The loops count without locks. Reading holds other locks only while it copies a value.
final class ServerMetrics: Sendable {
    /// The parts of a server that have metrics; nil for a part that the server lacks.
    struct Subjects: Sendable {
        /// The actions that the server's program exposes.
        var exposed: [ExposedAction]
        /// All actions on the public port, with their policies.
        var served: @Sendable () -> [RouteTable.Served]
        var version: String
        /// The environment whose documents are served.
        var environment: String
        var behaviors: LiveBehaviors?
        /// The documents of a store.
        var authored: BehaviorDocuments?
        var data: Storage?
        var database: PostgreSQLClient?
        /// The store of tokens and plugs.
        var administration: (any AdministrationBackend)?
        var tls: TLSFiles?
        var streams: StreamLimiter?
    }

    /// The route and the action of a number in counters.
    typealias Name = (route: String, action: String?)

    let subjects: Subjects
    let served: Once<[RouteTable.Served]>
    let names: Once<[Int: Name]>
    private let observations: LoopObservations

    /// Creates the metrics; `subjects.served` runs when the page is first shown.
    init(_ subjects: Subjects, _ observations: LoopObservations = LoopObservations()) {
        self.subjects = subjects
        self.observations = observations
        let served = Once { subjects.served() }
        self.served = served
        names = Once {
            var names: [Int: Name] = [
                RequestSubject.Route.none: ("", nil),
                RequestSubject.Route.behaviors: (BehaviorsResponse.path.description, nil),
                RequestSubject.Route.namedBehaviors: ("/behaviors/{name}.json", nil),
                RequestSubject.Route.files: ("/{file}", nil),
                RequestSubject.Route.console: ("/console/{file}", nil),
            ]
            for action in served.value.map(\.action) {
                if case .success(let route) = action.actionRoute {
                    names[action.number] = (route.template.description, action.name)
                }
            }
            return names
        }
    }

    /// Creates the counters of the next loop.
    func observation() -> LoopObservation { observations.make() }

    /// The current families: the server's own, and the application's with other names.
    func families() -> [MetricFamily] {
        let own = own()
        // As one of several backends, this registry has received the server's own metrics.
        let names = Set(own.flatMap { [$0.name, $0.name + "_count", $0.name + "_sum"] })
        return own + MetricsRegistry.shared.families().filter { !names.contains($0.name) }
    }

    /// Forwards the server's metrics to a backend of swift-metrics until the task is cancelled.
    ///
    /// Does nothing for the page's own backend, which has them anyway, or without a backend.
    func forward(to factory: any MetricsFactory, every interval: Duration = .seconds(10)) async {
        guard !(factory is MetricsRegistry || factory is NOOPMetricsHandler) else { return }
        let forwarder = MetricsForwarder(factory)
        repeat {
            forwarder.forward(own())
        } while (try? await Task.sleep(for: interval)) != nil
        forwarder.forward(own())
    }

    private func own() -> [MetricFamily] {
        let observations = observations.all
        let counters = observations.compactMap(\.counters)
        return requests(observations) + connections(counters) + loops(counters)
            + budgets(counters) + behaviors + stores + certificates + rateLimits + plugs
            + ProcessMetrics.families()
            + [
                MetricFamily(
                    "plugboard_build",
                    .info,
                    help: "The server's version.",
                    [.init([("version", subjects.version)], 1)]
                )
            ]
    }
}
