import ArgumentParser
import PlugboardClient

/// The options of commands that ask a server.
struct ClientOptions: ParsableArguments {
    @Option(
        "Trusts the authorities in this PEM file, beside the system's, for https.",
        value: "file"
    )
    var ca: String?

    /// A client of the server at a URL.
    func client(_ url: String, token: String? = nil) -> Client {
        guard let authorities = ca ?? Environment.value("CA") else {
            return Client(url, token: token)
        }
        return Client(url, token: token, transport: SocketTransport(authorities: authorities))
    }

    /// An error's text, with the option that helps where nobody is trusted.
    static func text(_ error: any Error) -> String {
        guard let error = error as? ClientError, error.kind == .untrusted else { return "\(error)" }
        return "\(error) (here: --ca FILE)"
    }
}
