import ArgumentParser
import Settings

/// The options of `serve` that say what it exposes, for commands that tell of that and serve nothing.
///
/// The environment and a file may say more; that is read, and changes nothing here.
struct ExposureOptions: ParsableArguments {
    @Option("A JSON file with serve's options.", value: "file")
    var config: String?

    @OptionGroup var samples: SampleOptions

    /// What `serve` would be with these.
    func options() throws -> Serve.Options {
        do throws(SettingsError) {
            return try Serve.Options(Serve.settings(config), samples: samples)
        } catch {
            throw Serve.refusal(error)
        }
    }
}
