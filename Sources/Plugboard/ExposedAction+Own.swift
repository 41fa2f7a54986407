import HTTPServer
import Plug
import PlugHTTP

extension ExposedAction {
    /// An action that a server performs itself, unless something is plugged to it: of two servers in
    /// a process each its own.
    ///
    /// It declares its scopes and nothing else. No look is needed for what else there could be, and at
    /// a start looking is what takes the time.
    convenience init<A: Endpoint & Scoped>(
        own action: A.Type,
        _ output: OutputForm<A.Output>,
        perform: @escaping @Sendable (A.Input) async throws -> A.Output
    ) where A.Input: Decodable {
        self.init(own: action, .decoded(for: action, isProbed: false), output, perform)
    }

    /// One whose answers hold a secret.
    convenience init<A: Endpoint & Scoped & Confidential>(
        own action: A.Type,
        _ output: OutputForm<A.Output>,
        perform: @escaping @Sendable (A.Input) async throws -> A.Output
    ) where A.Input: Decodable {
        let input = InputForm<A.Input>.decoded(for: action, isProbed: false)
        self.init(own: action, input, output, isConfidential: true, perform)
    }

    /// One without an input.
    convenience init<A: Endpoint & Scoped>(
        own action: A.Type,
        _ output: OutputForm<A.Output>,
        perform: @escaping @Sendable () async throws -> A.Output
    ) where A.Input == Void {
        self.init(own: action, .nothing, output) { try await perform() }
    }

    private convenience init<A: Endpoint & Scoped>(
        own action: A.Type,
        _ input: InputForm<A.Input>,
        _ output: OutputForm<A.Output>,
        isConfidential: Bool = false,
        _ perform: @escaping @Sendable (A.Input) async throws -> A.Output
    ) {
        guard case .whole(let decode, let description) = input else {
            preconditionFailure("the server's own actions take values")
        }
        let cell = PlugCell.of(action)
        let encode = output.encode
        var declarations = Declarations(scopesOf: action)
        declarations.isConfidential = isConfidential
        self.init(
            action,
            declarations,
            Result { () throws(PathTemplate.Invalid) in try ActionRoute(endpoint: action) },
            description,
            output.description
        ) { _, body, text, tools in
            let input = try decode(body, text, tools.room)
            let logger = tools.logger
            return .later {
                do {
                    let output =
                        cell.isPlugged
                        ? try await cell.perform(A.self, input) : try await perform(input)
                    return try encode(output, 0)
                } catch {
                    return ProblemAnswer.make(error, performing: cell.name, logger)
                }
            }
        }
    }
}
