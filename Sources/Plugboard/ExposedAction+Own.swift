import HTTPServer
import Plug

extension ExposedAction {
    /// An action that a server performs itself, unless something is plugged to it: of two servers in
    /// a process each its own.
    convenience init<A: ActionProtocol>(
        own action: A.Type,
        number: Int? = nil,
        _ input: InputForm<A.Input>,
        _ output: OutputForm<A.Output>,
        perform: @escaping @Sendable (A.Input) async throws -> A.Output
    ) {
        guard case .whole(let decode, let description) = input else {
            preconditionFailure("the server's own actions take values")
        }
        let cell = PlugCell.of(action)
        let encode = output.encode
        self.init(action, number: number, description, output.description) { _, body, text, tools in
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
