import HTTPServer
import HTTPSyntax
import JSONCodec
import Plug
import PlugHTTP

extension ExposedAction {
    /// The probes of every server.
    static func probes(_ readiness: ReadinessState) -> [ExposedAction] {
        [
            ExposedAction(
                Liveness.self,
                RequestSubject.Route.liveness,
                .nothing,
                decode: { _, _, _ in }
            ) { _ in Health() },
            readyz(readiness),
        ]
    }

    private static func readyz(_ readiness: ReadinessState) -> ExposedAction {
        let form = InputForm<ReadinessQuery>.decoded(for: Readiness.self)
        guard case .whole(let decode, let description) = form else {
            preconditionFailure("the probe takes a value")
        }
        return ExposedAction(
            Readiness.self,
            RequestSubject.Route.readiness,
            description,
            decode: { try decode($1, $0.members, $2.room) }
        ) { try await readiness.health(for: $0.for ?? .read) }
    }

    /// An action that the server performs itself, unless an implementation is plugged into it.
    ///
    /// Its failures aren't logged, since a probe runs every few seconds.
    private convenience init<A: Endpoint>(
        _ action: A.Type,
        _ number: Int,
        _ description: InputDescription,
        decode: @escaping @Sendable (borrowing Request, ByteSpan, Tools) throws -> A.Input,
        otherwise perform: @escaping @Sendable (A.Input) async throws -> A.Output
    ) where A.Output: Encodable {
        let cell = PlugCell.of(action)
        self.init(
            action,
            action,
            number: number,
            Declarations(),
            description,
            .value(A.Output.self, .never)
        ) { request, body, tools in
            let input: A.Input
            do {
                input = try decode(request, body, tools)
            } catch {
                return .now(Self.probeFailure(error))
            }
            return .later {
                do {
                    let output =
                        cell.isPlugged
                        ? try await cell.perform(A.self, input) : try await perform(input)
                    return Response(
                        status: 200,
                        fields: Self.probeFields,
                        body: .bytes(try JSON.encode(output))
                    )
                } catch {
                    return Self.probeFailure(error)
                }
            }
        }
    }

    private static func probeFailure(_ error: any Error) -> Response {
        ProblemResponse.make(
            Problem(performing: error),
            fields: [(name: "Cache-Control", value: "no-store")]
        )
    }

    private static let probeFields = ResponseFields([
        ("Content-Type", "application/json"), ("Cache-Control", "no-store"),
    ])
}
