import ArgumentParser
import Settings

/// The command line's values of a section's options.
///
/// The parser learns a type's options from its mirror. This type's mirror is made of the section's
/// declarations. The values are texts: a `SettingsReader` parses them with those of the environment
/// and the file. So all options have one of three types. The parser searches the conformances of
/// the process once for each type.
struct GivenOptions<Section: OptionSection>: ParsableArguments, CustomReflectable {
    /// The texts of each option that the command line has, by name.
    private(set) var texts: [String: [String]] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: OptionKey.self)
        for option in Section.options { texts[option.name] = try option.texts(in: values) }
    }

    var customMirror: Mirror {
        Mirror(self, children: Section.options.map { ($0.name as String?, $0.argument) })
    }
}

/// The key of an option among the parsed values: its name.
private struct OptionKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
}

extension ServeOption {
    /// The property that declares the option to the parser.
    ///
    /// The `--no-` form of a flag overrides the file. An option with a list may be repeated.
    fileprivate var argument: Any {
        switch form {
        case .bool: Flag<Bool?>(name: .customLong(name), inversion: .prefixedNo, help: help)
        case .strings: Option<[String]>(wrappedValue: [], name: .customLong(name), help: help)
        case .number, .string, .numberOrString, .text: Option<String?>(self)
        }
    }

    /// Returns the texts of the command line; nil if it lacks the option.
    fileprivate func texts(in values: KeyedDecodingContainer<OptionKey>) throws -> [String]? {
        let key = OptionKey(stringValue: name)
        switch form {
        case .bool:
            return try values.decode(Flag<Bool?>.self, forKey: key).wrappedValue.map {
                [String($0)]
            }
        case .strings:
            let texts = try values.decode(Option<[String]>.self, forKey: key).wrappedValue
            return texts.isEmpty ? nil : texts
        case .number, .string, .numberOrString, .text:
            return try values.decode(Option<String?>.self, forKey: key).wrappedValue.map { [$0] }
        }
    }
}
