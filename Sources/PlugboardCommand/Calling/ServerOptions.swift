import ArgumentParser
import HTTPTypes
import JSONCodec
import Plug
import PlugHTTP
import PlugboardClient

/// The options of commands that call a server's actions.
struct ServerOptions: ParsableArguments {
    @Option(ClientOption.url)
    var url: String?

    @Option(ClientOption.token)
    var token: String?

    @Option(ClientOption.tokenFile)
    var tokenFile: String?

    @Flag(help: "Prints the response as JSON, and an error as a problem in JSON.")
    var json = false

    @OptionGroup var options: ClientOptions

    /// Whether no option is given.
    var isDefault: Bool { url == nil && token == nil && tokenFile == nil && options.ca == nil }

    /// Calls an action of the server, and prints errors.
    ///
    /// With `--json` it prints the output and ends the command with status 0.
    func send<A: ActionProtocol>(_ action: A.Type, _ input: A.Input) async throws -> A.Output
    where A.Input: Encodable, A.Output: Codable {
        let output = try await request(action, input)
        try finish(with: output)
        return output
    }

    /// Calls an action without input as ``send(_:_:)`` does.
    func send<A: ActionProtocol>(_ action: A.Type) async throws -> A.Output
    where A.Input == Void, A.Output: Codable {
        let output = try await ask { try await $0.send(action) }
        try finish(with: output)
        return output
    }

    /// Calls an action of the server, and prints errors only: the command prints the output.
    func request<A: ActionProtocol>(_ action: A.Type, _ input: A.Input) async throws -> A.Output
    where A.Input: Encodable, A.Output: Decodable {
        try await ask { try await $0.send(action, input) }
    }

    /// With `--json`, prints a result and ends the command with status 0.
    func finish(with output: some Encodable) throws {
        guard json else { return }
        try Output.print(encoding: output)
        throw ExitCode.success
    }

    /// Calls an action without output, and prints errors.
    func send<A: ActionProtocol>(_ action: A.Type, _ input: A.Input) async throws
    where A.Input: Encodable, A.Output == Void {
        try await ask { try await $0.send(action, input) }
    }

    /// The token of the command line, else of the environment; nil if neither has one.
    private func givenToken() throws -> String? {
        guard token == nil || tokenFile == nil else {
            throw Failure.usage("give only one of --token and --token-file")
        }
        if let token { return token }
        if let tokenFile { return try Self.token(in: tokenFile) }
        if let token = Environment.value(of: ClientOption.token) { return token }
        return try Environment.value(of: ClientOption.tokenFile).map { try Self.token(in: $0) }
    }

    private static func token(in file: String) throws -> String {
        KeyFile.warnOfExposure(file)
        do {
            let token = String(
                decoding: try InputFile.read(file, maximum: 64 << 10),
                as: UTF8.self
            )
            return try SentToken(token).text
        } catch let error as ClientError {
            throw Failure("\(file): \(error)")
        }
    }

    /// Runs `body` with a client of the server, and prints errors.
    ///
    /// - Throws: an exit code: 1 if the server rejects the call, 64 for invalid input, 69 if the
    ///   server can't be reached.
    func ask<Answer>(_ body: (Client) async throws -> Answer) async throws -> Answer {
        let token = try givenToken()
        let client = options.client(
            url ?? Environment.value(of: ClientOption.url) ?? "http://127.0.0.1:8080",
            token: token
        )
        do {
            return try await body(client)
        } catch let problem as Problem {
            if json {
                try Output.print(encoding: problem)
                throw ExitCode(1)
            }
            for line in ProblemText.lines(of: problem) { Output.writeError(line) }
            if problem.status == .unauthorized, token == nil {
                Output.writeError(
                    "(plugboard token create makes a token; give it as PLUGBOARD_TOKEN or --token-file)"
                )
            }
            throw ExitCode(1)
        } catch let error as ClientError where [.invalidInput, .invalidURL].contains(error.kind) {
            throw Failure.usage("\(error)")
        } catch let error as ClientError {
            write(ClientOptions.text(error), "The server can't be reached")
            throw ExitCode(69)
        } catch let code as ExitCode {
            throw code
        } catch {
            // The response's text may be in it.
            let failure = Failure("\(error)")
            guard json else { throw failure }
            write(failure.description, "The command failed")
            throw ExitCode(1)
        }
    }

    /// Prints an error, with `--json` as a problem without a status.
    private func write(_ detail: String, _ title: String) {
        guard json else { return Output.writeError(detail) }
        Output.print([
            "type": "about:blank", "title": .string(title), "detail": .string(detail),
        ])
    }
}
