import ArgumentParser
import Plugboard
import Settings

@testable import PlugboardCommand

/// Reads `serve`'s options into a configuration.
func configuration(
    _ arguments: [String],
    into configuration: Server.Configuration = ServeValues.standard.server,
    environment: [String: String] = [:]
) throws -> Server.Configuration {
    try read(arguments, into: configuration, environment: environment).configuration
}

/// Returns the settings of the logs.
func logs(_ arguments: [String]) throws -> Logs { try read(arguments).logs }

/// Returns the problems of a command line.
func problems(_ arguments: [String]) throws -> [String] {
    do {
        _ = try read(arguments)
        return []
    } catch let error as SettingsError {
        return error.problems
    }
}

private func read(
    _ arguments: [String],
    into configuration: Server.Configuration = ServeValues.standard.server,
    environment: [String: String] = [:]
) throws -> (configuration: Server.Configuration, logs: Logs) {
    var configuration = configuration
    let settings = SettingsReader(environment: environment)
    let given = try ServeOptions.parse(arguments).given
    let logs = ServeOptions.read(given, settings, into: &configuration)
    try settings.check()
    return (configuration, logs)
}
