import ArgumentParser

/// An option of commands that aren't the server, with a variable but no key in the file.
struct ClientOption: NamedOption {
    let name: String
    let help: ArgumentHelp

    private init(_ name: String, _ help: String, value: String? = nil) {
        self.name = name
        self.help = ArgumentHelp(help, valueName: value)
    }

    static let config = ClientOption("config", "A JSON file with serve's options.", value: "file")
    static let url = ClientOption("url", "The server's URL. (default: http://127.0.0.1:8080)")
    static let token = ClientOption(
        "token",
        "A bearer token. Other users can see the command line: PLUGBOARD_TOKEN is safer."
    )
    static let tokenFile = ClientOption(
        "token-file",
        "A file with the bearer token, such as a mounted secret; - is the standard input.",
        value: "file"
    )
    static let authorities = ClientOption(
        "ca",
        "Also trusts the certificate authorities in this PEM file, for https.",
        value: "file"
    )

    /// All options of this kind.
    ///
    /// `serve` doesn't take their variables for misspelt ones.
    static let all = [config, url, token, tokenFile, authorities]
}
