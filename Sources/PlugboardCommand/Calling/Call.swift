import ArgumentParser
import HTTPTypes
import JSONCodec
import PlugHTTP
import Plugboard
import PlugboardClient

/// The command `call`.
struct Call: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Calls an action of a server and prints its output.",
        discussion: """
            The command reads the action's route from the server's description, /openapi.json. \
            Without a description it calls POST /actions/ACTION. The status is 0 on success, 1 if \
            the server rejects the call, 69 if it can't be reached.
            """
    )

    @Argument(help: "The action's name, such as LikePhoto.")
    var action: String

    @Argument(help: "The input as JSON, such as '{\"id\":42}'; omit it if the action has none.")
    var input: String?

    @OptionGroup var server: ServerOptions

    func run() async throws {
        let input = try input.map { try JSON.argument($0, "the input") }
        let output = try await server.ask { client in
            let known = try await route(at: client)
            do {
                return try await client.send(known ?? ActionRoute(name: action), input)
            } catch var problem as Problem {
                problem.detail = explanation(of: problem, isKnown: known != nil) ?? problem.detail
                throw problem
            }
        }
        Output.write(output + [UInt8(ascii: "\n")])
    }

    /// Returns a detail that names the action; nil if the server's own detail is sufficient.
    private func explanation(of problem: Problem, isKnown: Bool) -> String? {
        switch problem.status {
        case .notFound where !isKnown && problem.detail == Problem.unknownPath:
            "the server has no action \(action)"
        case .notAcceptable: "\(action) streams its output: follow it with curl -N"
        default: nil
        }
    }

    /// Returns the action's route; nil if neither this command nor the description has it.
    private func route(at client: Client) async throws -> ActionRoute? {
        if let own = (Server.administration + probes).first(where: { $0.name == action }) {
            return try ActionRoute(own)
        }
        return try await ActionRoute.find(action, at: client)
    }

    /// The actions that each server has besides, and that its description doesn't list.
    private var probes: [any ActionProtocol.Type] { [Liveness.self, Readiness.self] }
}
