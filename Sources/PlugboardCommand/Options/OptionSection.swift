import Settings

/// A part of `serve`'s options, with a title in the help.
protocol OptionSection: SendableMetatype {
    static var title: String { get }
    /// The options, in the order of the help, the file and the documentation.
    static var options: [ServeOption] { get }
    /// Combines values that belong together, and rejects those that conflict.
    static func complete(_ values: inout ServeValues, _ settings: SettingsReader)
}
