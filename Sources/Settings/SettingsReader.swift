package import JSONCodec

/// Reads settings from the command line, the environment, a file or the default, in this order.
///
/// Reading a setting always returns a value. ``check()`` later throws all problems at once. It
/// reports the file's keys that no caller has read as unknown.
package final class SettingsReader {
    /// A source of settings.
    private struct Source {
        /// Returns a value of a JSON type; nil for an unset one.
        let texts: (String, SettingForm) -> SettingTexts?
        let place: (String) -> String
        /// Returns a description of an invalid value.
        let found: (String) -> String
    }

    /// A setting's value and its source.
    package struct Entry: Equatable {
        package let name: String
        package let value: JSON
        /// The option, the variable, or the file with its key; nil for the default.
        package let place: String?
    }

    /// The settings read so far, in order.
    package private(set) var entries: [Entry] = []
    private var sources: [Source] = []
    private let variables: [String: String]
    /// The ignored variables, which a platform has defined for a service.
    private let serviceLinks: Set<String>
    private let file: SettingsFile?
    private var problems: [String] = []

    /// Creates a reader of the environment and an optional file.
    ///
    /// An empty variable counts as unset, and so does one that Kubernetes or Docker defines for a
    /// service.
    package init(
        environment: [String: String],
        file: SettingsFile? = nil
    ) {
        let set = environment.filter { !$0.value.isEmpty }
        let links = set.filter { ServiceLink.defines($0.key, $0.value) }
        serviceLinks = Set(links.keys)
        variables = links.isEmpty ? set : set.filter { links[$0.key] == nil }
        self.file = file
        if !variables.isEmpty { sources.append(Self.source(variables)) }
        guard let file else { return }
        sources.append(
            Source(texts: file.texts, place: file.place, found: file.found)
        )
    }

    private static func source(_ variables: [String: String]) -> Source {
        Source(
            texts: { name, form in variables[variable(name)].map { texts($0, as: form) } },
            place: variable,
            found: { quoted(variables[variable($0)] ?? "") }
        )
    }

    /// Parses a variable's value; commas separate the elements of a list.
    private static func texts(_ text: String, as form: SettingForm) -> SettingTexts {
        let integer = Int(text).map(String.init)
        return switch form {
        case .bool:
            switch text.lowercased() {
            case "true", "yes", "1": .texts(["true"])
            case "false", "no", "0": .texts(["false"])
            default: .wrong
            }
        case .number: integer.map { .texts([$0]) } ?? .wrong
        case .string, .text: .texts([text])
        case .strings:
            .texts(text.split(separator: ",", omittingEmptySubsequences: false).map(trimmed))
        case .numberOrString: .texts([integer ?? text])
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        let text = text.drop(while: \.isWhitespace)
        let end = text.lastIndex { !$0.isWhitespace }
        return end.map { String(text[...$0]) } ?? ""
    }

    /// Returns a setting's variable: `PLUGBOARD_HEAD_TIMEOUT` for `head-timeout`.
    package static func variable(_ name: String) -> String {
        let name = name.utf8.lazy.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): byte & 0xDF
            case UInt8(ascii: "-"): UInt8(ascii: "_")
            default: byte
            }
        }
        return "PLUGBOARD_" + String(decoding: Array(name), as: UTF8.self)
    }

    /// Finds a setting's value.
    ///
    /// - Parameters:
    ///   - setting: the option.
    ///   - base: the default, in place of the setting's own.
    ///   - given: the command line's values; nil if it has none.
    /// - Returns: the value; the default if no source has one or it is invalid.
    package func value<Value>(
        of setting: Setting<Value>,
        default base: Value? = nil,
        given: [String]? = nil
    ) -> Value {
        let (value, place) = find(setting, base ?? setting.fallback, given)
        let isHidden = place != nil && setting.hides?(value) == true
        let shown = isHidden ? .string(Self.hiddenText) : value.json
        entries.append(Entry(name: setting.name, value: shown, place: place))
        return value
    }

    /// The placeholder for a secret value; it isn't accepted as a value.
    private static let hiddenText = "(secret)"

    /// Records a problem with a setting that was read.
    package func reject(_ name: String, _ reason: String) {
        assert(entries.contains { $0.name == name }, "\(name) was not read")
        problems.append("\(place(of: name)): \(reason)")
    }

    /// Returns the source of a setting read before: the option, the variable, or the file with its
    /// key; the option for a default.
    package func place(of name: String) -> String {
        entries.last { $0.name == name }?.place ?? "--\(name)"
    }

    /// Whether neither the environment nor the file sets an option.
    package var isEmpty: Bool { sources.isEmpty }

    /// Whether neither the command line, nor the environment, nor the file has a setting that was read.
    package func isDefault(_ name: String) -> Bool {
        assert(entries.contains { $0.name == name }, "\(name) was not read")
        return entries.last { $0.name == name }?.place == nil
    }

    /// Throws the problems of the settings read so far.
    ///
    /// For a command that reads a part of the settings: other keys of the file are no problems.
    package func checkValues() throws(SettingsError) {
        if !problems.isEmpty { throw SettingsError(problems) }
    }

    /// Throws the problems of the settings read so far, and the unknown keys.
    package func check() throws(SettingsError) {
        let known = entries.map(\.name)
        let unknown = (file?.keys ?? []).filter { !known.contains($0) }
        for key in unknown.prefix(Self.maximumReportedKeys) {
            let suggestion = nearestName(to: key, among: known).map { ", perhaps \($0)" } ?? ""
            problems.append("\(file?.place(key) ?? key): no such option\(suggestion)")
        }
        if unknown.count > Self.maximumReportedKeys {
            problems.append(
                "… and \(unknown.count - Self.maximumReportedKeys) more unknown options"
            )
        }
        try checkValues()
    }

    /// The maximum number of reported unknown keys; a file with more is of another kind.
    private static let maximumReportedKeys = 20

    /// Returns warnings about variables that set nothing.
    ///
    /// - A variable of a service link has the name of an option: it is ignored.
    /// - An unknown variable is similar to an option's. Unknown variables are no errors, because
    ///   platforms set variables of their own.
    ///
    /// `others` are the names of settings with another reader.
    package func warnings(besides others: [String]) -> [String] {
        guard !variables.isEmpty || !serviceLinks.isEmpty else { return [] }
        let known = entries.map(\.name) + others
        let ignored = known.filter { serviceLinks.contains(Self.variable($0)) }.map { name in
            "\(Self.variable(name)) is ignored: Kubernetes or Docker set it for a service. Set "
                + "--\(name) if you mean the option; Kubernetes stops setting it with "
                + "enableServiceLinks: false."
        }
        let unknown = Set(variables.keys).subtracting(known.map(Self.variable)).sorted()
        let possibleMistakes = unknown.compactMap { variable in
            nearestName(to: String(variable.dropFirst("PLUGBOARD_".count)), among: known)
                .map { "\(Self.quoted(variable)): no such variable, perhaps \(Self.variable($0))" }
        }
        return ignored + possibleMistakes.prefix(Self.maximumReportedKeys)
    }

    /// Creates command-line arguments for a server's own options, from the environment and the file.
    ///
    /// Example: `["--upstream", "https://photos.example"]`.
    ///
    /// - Parameters:
    ///   - options: the options, each with the form of its value.
    ///   - given: the options of the command line, with their values; they take precedence.
    ///   - hides: whether a value has a secret, which ``document`` must not show.
    /// - Returns: the arguments that the command line lacks.
    package func arguments(
        of options: [(name: String, form: SettingForm)],
        given: [String: [String]],
        hides: (String) -> Bool = { _ in false }
    ) -> [String] {
        func note(_ name: String, _ texts: [String], _ form: SettingForm, at place: String?) {
            let isHidden = place != nil && texts.contains(where: hides)
            self.note(name, isHidden ? [Self.hiddenText] : texts, form, at: place)
        }
        return options.flatMap { name, form -> [String] in
            if let texts = given[name] {
                note(name, texts, form, at: "--\(name)")
                return []
            }
            for source in sources {
                guard let known = source.texts(name, form) else { continue }
                let place = source.place(name)
                guard case .texts(let texts) = known else {
                    problems.append(
                        "\(place): expected \(form.expected), not \(source.found(name))"
                    )
                    continue
                }
                note(name, texts, form, at: place)
                guard case .bool = form else { return texts.map { "--\(name)=\($0)" } }
                return [texts == ["true"] ? "--\(name)" : "--no-\(name)"]
            }
            note(name, [], form, at: nil)
            return []
        }
    }

    private func note(_ name: String, _ texts: [String], _ form: SettingForm, at place: String?) {
        let value: JSON =
            switch form {
            case .strings: .array(texts.map(JSON.string))
            case .bool: .bool(place != nil && texts != ["false"])
            case .number, .string, .numberOrString, .text: texts.last.map(JSON.string) ?? .null
            }
        entries.append(Entry(name: name, value: value, place: place))
    }

    /// The settings read so far, in the form of a file.
    package var document: JSON { .object(JSON.Object(entries.map { ($0.name, $0.value) })) }

    private func find<Value>(
        _ setting: Setting<Value>,
        _ base: Value,
        _ given: [String]?
    ) -> (Value, String?) {
        if let given {
            let place = "--\(setting.name)"
            let value = accept(
                given,
                of: setting,
                at: place,
                found: Self.quoted(given.joined(separator: ","))
            )
            return (value, place)
        }
        for source in sources {
            guard let known = source.texts(setting.name, Value.form) else { continue }
            let texts: [String]? = if case .texts(let texts) = known { texts } else { nil }
            let place = source.place(setting.name)
            let found = source.found(setting.name)
            return (accept(texts, of: setting, at: place, found: found), place)
        }
        return (base, nil)
    }

    private func accept<Value>(
        _ texts: [String]?,
        of setting: Setting<Value>,
        at place: String,
        found: @autoclosure () -> String
    ) -> Value {
        if setting.hides != nil, texts == [Self.hiddenText] {
            problems.append(
                "\(place): \(Self.hiddenText) is a placeholder; set the value here or as "
                    + "\(Self.variable(setting.name))"
            )
            return setting.fallback
        }
        if let texts, let value = Value(texts: texts), setting.rule.accepts(value) { return value }
        let expected = "\(place): expected \(setting.rule.expected())"
        problems.append(setting.hides != nil ? expected : "\(expected), not \(found())")
        return setting.fallback
    }

    private static func quoted(_ text: String) -> String {
        "\(JSON.string(String(text.prefix(80))))"
    }
}

extension SettingValue {
    /// The value in the form of a file; null if it is unset.
    fileprivate var json: JSON {
        let texts = texts
        if case .strings = Self.form { return .array(texts.map(JSON.string)) }
        guard let text = texts.first else { return .null }
        switch Self.form {
        case .bool: return .bool(text == "true")
        case .number, .numberOrString: return JSON.Number(text).map(JSON.number) ?? .string(text)
        case .string, .strings, .text: return .string(text)
        }
    }
}
