import ArgumentParser
import HTTPTypes
import JSONCodec
import OrderActions
import PhotoActions
import PlugHTTP
import Plugboard
import PlugboardClient

/// The command `plugboard call`.
struct Call: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Performs an action of a server and prints its output.",
        discussion: """
            An action of the samples or of the server's administration is called at its route; \
            any other at POST /actions/ACTION. \
            The status is 0 on success, 1 if the server refuses, 69 if it can't be reached.
            """
    )

    @Argument(help: "The action's name, such as LikePhoto.")
    var action: String

    @Argument(help: "The input as JSON, such as '{\"id\":42}'; none for an action that takes none.")
    var input: String?

    @OptionGroup var server: ServerOptions

    func run() async throws {
        let input = try input.map { try JSON.argument($0, "the input") }
        let known = try knownRoute()
        let output = try await server.ask { client in
            do {
                return try await client.send(known ?? ActionRoute(name: action), input)
            } catch var problem as Problem {
                problem.detail = explanation(of: problem, isKnown: known != nil) ?? problem.detail
                throw problem
            }
        }
        Output.print(String(decoding: output, as: UTF8.self))
    }

    /// What a server says of a path that it doesn't have.
    private static let noPath = "there is nothing at this path"

    /// What the server can't say in terms of actions; nil where it says it all.
    private func explanation(of problem: Problem, isKnown: Bool) -> String? {
        switch problem.status {
        case .notFound where !isKnown && problem.detail == Self.noPath:
            "the server has no action \(action)"
        case .notAcceptable: "\(action) streams its output: follow it with curl -N"
        default: nil
        }
    }

    /// The route of an action that this command knows; nil for any other.
    private func knownRoute() throws -> ActionRoute? {
        let samples = PhotoPlugs.actions + OrderPlugs.actions
        if let known = samples.first(where: { $0.name == action }) {
            return try known.actionRoute.get()
        }
        return try Server.administration.first { $0.name == action }.map { try ActionRoute($0) }
    }
}
