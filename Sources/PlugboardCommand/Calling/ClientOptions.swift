import ArgumentParser
import PlugboardClient

/// The options of commands that call a server.
struct ClientOptions: ParsableArguments {
    @Option(ClientOption.authorities)
    var ca: String?

    /// A transport that trusts the authorities of `--ca`; nil for the default one.
    var transport: (any Transport)? {
        (ca ?? Environment.value(of: ClientOption.authorities)).map {
            SocketTransport(authorities: $0)
        }
    }

    /// Makes a client of the server at a URL.
    func client(_ url: String, token: String? = nil) -> Client {
        guard let transport else { return Client(url, token: token) }
        return Client(url, token: token, transport: transport)
    }

    /// Returns an error's text, which names `--ca` if the server's certificate isn't trusted.
    static func text(_ error: any Error) -> String {
        guard let error = error as? ClientError, error.kind == .untrusted else { return "\(error)" }
        return "\(error) (here: --ca FILE)"
    }
}
