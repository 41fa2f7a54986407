import ArgumentParser
import JSONCodec
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
            An action of the photo sample or of the server's administration is called at its route; \
            any other at POST /actions/ACTION. \
            The status is 0 on success, 1 if the server refuses, 69 if it can't be reached.
            """
    )

    @Argument(help: "The action's name, such as LikePhoto.")
    var action: String

    @Argument(help: "The input as JSON, such as '{\"id\":42}'; none for an action that takes none.")
    var input: String?

    @Option(help: "The server. (default: http://127.0.0.1:8080)")
    var url: String?

    @Option(
        help: "A bearer token; in PLUGBOARD_TOKEN no list of processes shows it."
    )
    var token: String?

    @OptionGroup var options: ClientOptions

    func run() async throws {
        let input = try input.map { text in
            do throws(JSONError) {
                return try JSON(parsing: text.utf8)
            } catch {
                throw ValidationError("the input is no JSON: \(error)")
            }
        }
        let client = options.client(
            url ?? Environment.value("URL") ?? "http://127.0.0.1:8080",
            token: token ?? Environment.value("TOKEN")
        )
        do {
            let route = try route()
            Output.print(String(decoding: try await client.send(route, input), as: UTF8.self))
        } catch let problem as Problem {
            Output.complain("\(problem)")
            throw ExitCode(1)
        } catch let error as ClientError where error.kind == .invalidInput {
            throw ValidationError("\(error)")
        } catch let error as ClientError {
            Output.complain(ClientOptions.text(error))
            throw ExitCode(69)
        }
    }

    private func route() throws -> ActionRoute {
        if let known = PhotoPlugs.actions.first(where: { $0.name == action }) {
            return try known.actionRoute.get()
        }
        guard let own = Server.administration.first(where: { $0.name == action }) else {
            return ActionRoute(name: action)
        }
        return try ActionRoute(own)
    }
}
