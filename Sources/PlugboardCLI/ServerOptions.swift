import ArgumentParser
import HTTPTypes
import Plug
import PlugHTTP
import PlugboardClient

/// The options of commands that call a server's actions.
struct ServerOptions: ParsableArguments {
    @Option(help: "The server. (default: http://127.0.0.1:8080)")
    var url: String?

    @Option(help: "A bearer token; in PLUGBOARD_TOKEN no list of processes shows it.")
    var token: String?

    @OptionGroup var options: ClientOptions

    /// Whether nothing was said.
    var isDefault: Bool { url == nil && token == nil && options.ca == nil }

    /// Performs an action at the server, and prints what went wrong.
    func send<A: ActionProtocol>(_ action: A.Type, _ input: A.Input) async throws -> A.Output
    where A.Input: Encodable, A.Output: Decodable {
        try await ask { try await $0.send(action, input) }
    }

    /// Performs an action without an output at the server, and prints what went wrong.
    func send<A: ActionProtocol>(_ action: A.Type, _ input: A.Input) async throws
    where A.Input: Encodable, A.Output == Void {
        try await ask { try await $0.send(action, input) }
    }

    /// Calls a server, and prints what went wrong.
    func ask<Answer>(_ body: (Client) async throws -> Answer) async throws -> Answer {
        let token = token ?? Environment.value("TOKEN")
        let client = options.client(
            url ?? Environment.value("URL") ?? "http://127.0.0.1:8080",
            token: token
        )
        do {
            return try await body(client)
        } catch let problem as Problem {
            Output.complain(line: "\(problem)")
            for error in problem.errors ?? [] {
                let place = error.pointer.isEmpty ? "" : error.pointer + ": "
                Output.complain(line: place + error.detail)
            }
            if problem.status == .unauthorized, token == nil {
                Output.complain(
                    "(plugboard token create makes a token; give it as PLUGBOARD_TOKEN or --token)"
                )
            }
            throw ExitCode(1)
        } catch let error as ClientError where [.invalidInput, .invalidURL].contains(error.kind) {
            throw Failure.usage("\(error)")
        } catch let error as ClientError {
            Output.complain(ClientOptions.text(error))
            throw ExitCode(69)
        }
    }
}
