import ArgumentParser
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
        let input = try input.map { text in
            do throws(JSONError) {
                return try JSON(parsing: text.utf8)
            } catch {
                throw Failure.usage("the input isn't valid JSON: \(error)")
            }
        }
        let route = try route()
        let output = try await server.ask { try await $0.send(route, input) }
        Output.print(String(decoding: output, as: UTF8.self))
    }

    private func route() throws -> ActionRoute {
        let samples = PhotoPlugs.actions + OrderPlugs.actions
        if let known = samples.first(where: { $0.name == action }) {
            return try known.actionRoute.get()
        }
        guard let own = Server.administration.first(where: { $0.name == action }) else {
            return ActionRoute(name: action)
        }
        return try ActionRoute(own)
    }
}
