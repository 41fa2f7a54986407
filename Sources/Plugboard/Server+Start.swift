package import BehaviorStore
package import HTTPServer
import Plug
import PlugHTTP

/// A server that has opened its sockets.
package struct RunningServer: Sendable {
    package let server: HTTPServer
    package let behaviors: BehaviorFile?
    package let tls: TLSFiles?
    package var addresses: [SocketAddress] { server.addresses }

    var urls: [String] {
        addresses.map { $0.description(scheme: tls == nil ? "http" : "https") }
    }
}

extension Server {
    /// Checks everything, opens the sockets and starts the loops.
    ///
    /// - Throws: ``StartError`` with the whole list of what is missing or wrong.
    package func start() throws -> RunningServer {
        var problems: [String] = []
        let unplugged = actions.filter { !$0.cell.isPlugged }.map(\.name)
        if !unplugged.isEmpty {
            problems.append(
                "nothing is plugged to \(unplugged.joined(separator: ", ")): plug each before the "
                    + "server runs, as in \(unplugged[0]).self <~ My\(unplugged[0])()"
            )
        }
        let routes = RouteTable(actions, problems: &problems)
        problems += actions.compactMap(\.streamProblem)
        let document = "GET \(BehaviorsAnswer.path)"
        if behaviors != nil, let action = actions.first(where: { $0.route == document }) {
            problems.append("\(action.name) and the behavior document are both \(document)")
        }
        let files = attempt(&problems) {
            try configuration.publicFolder.map { PublicFiles(try PublicFolder(path: $0)) }
        }
        let file: BehaviorFile? = attempt(&problems) {
            switch behaviors {
            case .file(let path): try BehaviorFile(path: path, logger: logger)
            case nil: nil
            }
        }
        var tls: TLSFiles?
        do throws(TLSError) {
            tls = try configuration.tls.map { settings throws(TLSError) in
                try TLSFiles(settings.http, logger: logger)
            }
        } catch {
            problems += error.problems
        }
        guard problems.isEmpty else { throw StartError(problems: problems) }
        do {
            let server = try HTTPServer(
                address: configuration.address,
                configuration: configuration.http,
                tls: tls?.context,
                logger: logger
            ) {
                let responder = ServerResponder(
                    routes: routes,
                    files: files,
                    behaviors: file.map(BehaviorsAnswer.init),
                    bodyLimit: configuration.bodyLimit,
                    streamLimit: configuration.streamLimit,
                    performsAtOnce: middleware.isEmpty,
                    coding: AnswerCoding(threshold: configuration.compressionThreshold),
                    logger: logger
                )
                return middleware.isEmpty
                    ? responder
                    : MiddlewareResponder(middleware, before: responder, logger: logger)
            }
            try server.start()
            return RunningServer(server: server, behaviors: file, tls: tls)
        } catch {
            throw StartError(problems: ["\(error)"])
        }
    }

    private func attempt<Value>(_ problems: inout [String], _ body: () throws -> Value?) -> Value? {
        do {
            return try body()
        } catch {
            problems.append("\(error)")
            return nil
        }
    }
}

/// Why a server doesn't start: all reasons at once.
public struct StartError: Error, CustomStringConvertible {
    /// A sentence for each reason.
    public let problems: [String]

    /// The reasons, a line each.
    public var description: String { problems.joined(separator: "\n") }
}

extension ExposedAction {
    /// What keeps an action that takes a ``RequestBody`` from being served: nothing but the body
    /// reaches it.
    fileprivate var streamProblem: String? {
        guard stream != nil, case .success(let route) = actionRoute else { return nil }
        if !hasBody { return "\(name) takes a RequestBody, which \(self.route) has none of" }
        guard let member = route.template.names.first else { return nil }
        return
            "\(name) takes a RequestBody, so that nothing would read {\(member)} of \(self.route)"
    }
}
