import ArgumentParser
import PlugboardClient

/// The options of commands that call a server.
struct ClientOptions: ParsableArguments {
    @Option(ClientOption.authorities)
    var ca: String?

    /// Makes a client of the server at a URL.
    func client(_ url: String, token: String? = nil) -> Client {
        guard let authorities = ca ?? Environment.value(of: ClientOption.authorities) else {
            return Client(url, token: token)
        }
        return Client(url, token: token, transport: SocketTransport(authorities: authorities))
    }

    /// Returns an error's text, which names `--ca` if the server's certificate isn't trusted.
    static func text(_ error: any Error) -> String {
        guard let error = error as? ClientError, error.kind == .untrusted else { return "\(error)" }
        return "\(error) (here: --ca FILE)"
    }
}
