import ArgumentParser

/// The options of the whole app.
struct AppOptions: ParsableArguments {
    @Option(help: "The server's URL.")
    var url = "http://localhost:8080"

    @Option(help: "The folder of stored responses and behaviors.")
    var storage = ".photoapp"

    @Option(help: "The seconds of a call with all of its attempts, from 1 to 600.")
    var timeout = 10

    @Option(help: "A file with a bearer token. The app reads it again after a 401.")
    var tokenFile: String?

    @Option(help: "Writes all requests with their responses to this file.")
    var record: String?

    @Option(help: "Uses the responses in a file of --record instead of the network.")
    var replay: String?

    func validate() throws {
        guard (1...600).contains(timeout) else {
            throw ValidationError("--timeout \(timeout) is not between 1 and 600 seconds.")
        }
        guard record == nil || replay == nil else {
            throw ValidationError("--record and --replay exclude each other.")
        }
    }
}
