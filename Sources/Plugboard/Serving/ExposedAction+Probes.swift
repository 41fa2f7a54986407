import HTTPServer
import HTTPSyntax
import JSONCodec
import Plug
import PlugHTTP

extension ExposedAction {
    /// The probes of every server.
    static func probes(_ readiness: ReadinessState) -> [ExposedAction] {
        [
            ExposedAction(Liveness.self, RequestSubject.Route.liveness) { Health() },
            ExposedAction(Readiness.self, RequestSubject.Route.readiness) {
                try await readiness.health()
            },
        ]
    }

    /// An action that the server performs itself, unless an implementation is plugged into it.
    ///
    /// Its failures aren't logged, since a probe runs every few seconds.
    private convenience init<A: Endpoint>(
        _ action: A.Type,
        _ number: Int,
        otherwise perform: @escaping @Sendable () async throws -> A.Output
    ) where A.Input == Void, A.Output: Encodable {
        let cell = PlugCell.of(action)
        self.init(
            action,
            action,
            number: number,
            Declarations(),
            .nothing,
            .value(A.Output.self, .never)
        ) { _, _, _ in
            .later {
                do {
                    let output =
                        cell.isPlugged
                        ? try await cell.perform(A.self, ()) : try await perform()
                    return Response(
                        status: 200,
                        fields: Self.probeFields,
                        body: .bytes(try JSON.encode(output))
                    )
                } catch {
                    let fields = [(name: "Cache-Control", value: "no-store")]
                    return ProblemResponse.make(Problem(performing: error), fields: fields)
                }
            }
        }
    }

    private static let probeFields = ResponseFields([
        ("Content-Type", "application/json"), ("Cache-Control", "no-store"),
    ])
}
