@_exported public import ArgumentParser
@_exported public import Plugboard

/// A server as a command, with `serve`, `doctor`, `migrate`, `call`, `health`, `routes`, `openapi`,
/// `token`, `plugs`, `behaviors`, `audit` and `run`.
///
/// ```swift
/// @main struct PhotoServer: ServerCommand {
///     @Option(help: "The greeting.") var greeting = "Hello"
///
///     func server() throws -> Server {
///         Server(behaviors: .file("public/behaviors.json")) { LikePhoto.self }
///     }
/// }
/// ```
/// The stored properties are the server's own options, beside those that all servers have. Each
/// option may also be in the environment (`PLUGBOARD_GREETING`) and in the file of `--config`.
/// They need names of their own: the command ends with an error if one is named like an option of
/// `serve`, `doctor`, `migrate`, `routes` or `openapi`.
public protocol ServerCommand: ParsableArguments {
    /// The command's name; by default that of the executable.
    static var commandName: String { get }
    /// One line for the help.
    static var abstract: String { get }
    /// The version that `--version` prints; by default Plugboard's.
    static var version: String { get }
    /// The requests that the banner shows, each as curl's arguments after the server's URL:
    /// `/photos/42/like -X POST`.
    static var examples: [String] { get }
    /// Commands of the server's own, beside those that all servers have.
    static var subcommands: [any ParsableCommand.Type] { get }

    /// Returns the server. Nothing is opened.
    ///
    /// Options that are set replace its configuration's values. A behavior document in its public
    /// folder moves with `--public`.
    ///
    /// - Throws: any error; the command prints its description and exits with status 1.
    func server() throws -> Server
}

/// A server command whose server depends on the configuration, such as the data folder.
public protocol ConfiguredServerCommand: ServerCommand {
    /// Returns the server for a configuration in which all options are set. Nothing is opened.
    ///
    /// - Throws: any error; the command prints its description and exits with status 1.
    func server(_ configuration: Server.Configuration) throws -> Server
}

extension ConfiguredServerCommand {
    /// Returns the server with the defaults of all options.
    public func server() throws -> Server { try server(ServeValues.standard.server) }
}

extension ServerCommand {
    /// The name of the executable.
    public static var commandName: String {
        let path = CommandLine.arguments.first ?? ""
        return path.split(separator: "/").last.map(String.init) ?? "server"
    }
    /// A general description.
    public static var abstract: String { "A server that drives apps." }
    /// Plugboard's version.
    public static var version: String { Server.version }
    /// No examples.
    public static var examples: [String] { [] }
    /// No commands.
    public static var subcommands: [any ParsableCommand.Type] { [] }
}
