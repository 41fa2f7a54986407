import HTTPCodec
import HTTPServer
import Logging
import PlugHTTP

/// What a server does around the performing of an action that asks for more than to be performed.
///
/// An action that asks for nothing has none, and its requests cost nothing more.
final class ActionPolicy: Sendable {
    private let access: Access?

    init(access: Access?) { self.access = access }

    /// Judges a request by its head, before its body is read: nil lets it in.
    ///
    /// `caller` becomes the one who was made out.
    func refusal(_ head: RequestHead, _ logger: Logger, _ caller: inout Caller?) -> Response? {
        guard let access else { return nil }
        switch access.judge(head, logger) {
        case .granted(let known):
            caller = known
            return nil
        case .refused(let response): return response
        }
    }

    /// Answers a request that was let in.
    func answer(for caller: Caller?, _ answer: () throws -> Reply) rethrows -> Reply {
        guard let caller else { return try answer() }
        switch try Caller.$current.withValue(caller, operation: answer) {
        case .now(let response): return .now(response)
        case .later(let work):
            return .later { await Caller.$current.withValue(caller) { await work() } }
        }
    }
}

/// Makes the policies of a server's actions.
struct PolicyMaker {
    /// The server's tokens; nil where it has no data folder.
    let data: DataFolder?

    /// An action's policy; nil where it asks for nothing.
    ///
    /// `problems` gets a line for each thing that keeps the action from being served.
    func policy(of action: ExposedAction, _ problems: inout [String]) -> ActionPolicy? {
        guard let scopes = action.declarations.scopes else { return nil }
        if let invalid = scopes.invalid.first {
            problems.append("\(action.name) needs a scope that can't be one: \"\(invalid)\"")
        }
        guard let data else {
            problems.append(
                "\(action.name) needs "
                    + (scopes.isEmpty ? "a known caller" : "the scope \(scopes)")
                    + ", and there are no tokens: set the server's configuration.dataFolder, whose "
                    + "tokens `plugboard token create --data FOLDER` makes"
            )
            return nil
        }
        return ActionPolicy(access: Access(scopes: scopes, tokens: data.tokens))
    }
}
