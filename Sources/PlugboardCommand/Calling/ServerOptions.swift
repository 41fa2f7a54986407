import ArgumentParser
import HTTPTypes
import Plug
import PlugHTTP
import PlugboardClient

/// The options of commands that call a server's actions.
struct ServerOptions: ParsableArguments {
    @Option(ClientOption.url)
    var url: String?

    @Option(ClientOption.token)
    var token: String?

    @OptionGroup var options: ClientOptions

    /// Whether no option is given.
    var isDefault: Bool { url == nil && token == nil && options.ca == nil }

    /// Calls an action of the server, and prints errors.
    func send<A: ActionProtocol>(_ action: A.Type, _ input: A.Input) async throws -> A.Output
    where A.Input: Encodable, A.Output: Decodable {
        try await ask { try await $0.send(action, input) }
    }

    /// Calls an action without output, and prints errors.
    func send<A: ActionProtocol>(_ action: A.Type, _ input: A.Input) async throws
    where A.Input: Encodable, A.Output == Void {
        try await ask { try await $0.send(action, input) }
    }

    /// Runs `body` with a client of the server, and prints errors.
    ///
    /// - Throws: an exit code: 1 if the server rejects the call, 64 for invalid input, 69 if the
    ///   server can't be reached.
    func ask<Answer>(_ body: (Client) async throws -> Answer) async throws -> Answer {
        let token = token ?? Environment.value(of: ClientOption.token)
        let client = options.client(
            url ?? Environment.value(of: ClientOption.url) ?? "http://127.0.0.1:8080",
            token: token
        )
        do {
            return try await body(client)
        } catch let problem as Problem {
            Output.writeError("\(problem)")
            for error in problem.errors ?? [] {
                let place = error.pointer.isEmpty ? "" : error.pointer + ": "
                Output.writeError(place + error.detail)
            }
            if problem.status == .unauthorized, token == nil {
                Output.writeError(
                    "(plugboard token create makes a token; give it as PLUGBOARD_TOKEN or --token)"
                )
            }
            throw ExitCode(1)
        } catch let error as ClientError where [.invalidInput, .invalidURL].contains(error.kind) {
            throw Failure.usage("\(error)")
        } catch let error as ClientError {
            Output.writeError(ClientOptions.text(error))
            throw ExitCode(69)
        } catch let code as ExitCode {
            throw code
        } catch {
            // The response's text may be in it.
            throw Failure("\(error)")
        }
    }
}
