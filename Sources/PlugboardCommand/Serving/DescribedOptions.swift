import ArgumentParser

/// The options of commands that describe a server without running it.
///
/// The environment and the file may set more options of `serve`.
struct DescribedOptions: ParsableArguments {
    @Option("A JSON file with serve's options.", value: "file")
    var config: String?

    @Option("The folder of the server's own data. (default: data)", value: "folder")
    var data: String?
}
