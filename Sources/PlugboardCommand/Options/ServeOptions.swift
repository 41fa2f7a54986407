import ArgumentParser
import Plugboard
import Settings

/// The options of `serve` that all servers have.
struct ServeOptions: ParsableArguments {
    @OptionGroup var general: GivenOptions<GeneralOptions>
    @OptionGroup(title: TLSOptions.title) var tls: GivenOptions<TLSOptions>
    @OptionGroup(title: CallerOptions.title) var callers: GivenOptions<CallerOptions>
    @OptionGroup(title: TrustOptions.title) var clients: GivenOptions<TrustOptions>
    @OptionGroup(title: OperationsOptions.title) var operations: GivenOptions<OperationsOptions>
    @OptionGroup(title: LimitOptions.title) var limits: GivenOptions<LimitOptions>

    /// The sections of the properties above.
    static let sections: [any OptionSection.Type] = [
        GeneralOptions.self, TLSOptions.self, CallerOptions.self, TrustOptions.self,
        OperationsOptions.self, LimitOptions.self,
    ]

    /// The options of all sections.
    static let all = sections.flatMap { $0.options }

    /// The command line's texts of all options, by name.
    var given: [String: [String]] {
        [general.texts, tls.texts, callers.texts, clients.texts, operations.texts, limits.texts]
            .reduce(into: [:]) { all, texts in all.merge(texts) { first, _ in first } }
    }

    /// Reads all options into a configuration, whose values are the defaults.
    ///
    /// `given` are the command line's texts. A command without these options has none: it reads
    /// the environment and the file only.
    static func read(
        _ given: [String: [String]],
        _ settings: SettingsReader,
        into configuration: inout Server.Configuration
    ) -> Logs {
        var values = ServeValues(server: configuration)
        for section in sections {
            for option in section.options { option.read(settings, given[option.name], &values) }
            section.complete(&values, settings)
        }
        configuration = values.server
        return values.logs
    }
}
