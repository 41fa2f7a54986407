import ArgumentParser
import Settings

/// The options of `serve` that say what it exposes, for commands that tell of that and serve nothing.
///
/// The environment and a file may say more; that is read, and changes nothing here.
struct ExposureOptions: ParsableArguments {
    @Option("A JSON file with serve's options.", value: "file")
    var config: String?

    @Flag(Serve.orders)
    var orders: Bool?

    @OptionGroup var photos: PhotoOptions

    /// What `serve` would be with these.
    func options() throws -> Serve.Options {
        do throws(SettingsError) {
            let path = config ?? Environment.value("CONFIG")
            let file: SettingsFile? = if let path { try SettingsFile(path: path) } else { nil }
            let settings = SettingsReader(environment: Environment.variables, file: file)
            let options = Serve.Options(settings, orders: orders, groups: .init(photos: photos))
            try settings.check()
            return options
        } catch {
            throw Serve.refusal(error)
        }
    }
}
