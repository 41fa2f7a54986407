package import JSONCodec

/// Reads settings: what the command line says, else the environment, else a file, else the default.
///
/// Whoever reads a setting gets a value in any case; ``check()`` throws all that is wrong at once.
/// A key of the file that nobody has read by then is unknown.
package final class SettingsReader {
    /// Where settings stand, and what a setting's place there is called.
    private struct Source {
        /// A value by its form; nil where nothing is set.
        let texts: (String, SettingForm) -> SettingTexts?
        let place: (String) -> String
        /// What stands at a place that isn't what was asked for.
        let found: (String) -> String
    }

    /// A setting's value and where it comes from.
    package struct Entry: Equatable {
        package let name: String
        package let value: JSON
        /// The flag, the variable or the file and its key; nil for the default.
        package let place: String?
    }

    /// The settings that have been read, in order.
    package private(set) var entries: [Entry] = []
    private var sources: [Source] = []
    private let arguments: [String: [String]]?
    private let variables: [String: String]
    private let file: SettingsFile?
    private var problems: [String] = []

    /// Takes the environment's variables and the file, if there is one.
    ///
    /// An empty variable is as good as none. `arguments` are the command line's options with their
    /// values, where those aren't `given` with each setting.
    package init(
        arguments: [String: [String]]? = nil,
        environment: [String: String],
        file: SettingsFile? = nil
    ) {
        self.arguments = arguments
        variables = environment.filter { !$0.value.isEmpty }
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

    /// A variable's value: a list has commas between its elements.
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
        case .string: .texts([text])
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

    /// The variable of a setting: `PLUGBOARD_HEAD_TIMEOUT` for `head-timeout`.
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

    /// A setting's value; the default where what stands there is wrong.
    ///
    /// `given` is what the command line says, nil if it says nothing. It isn't asked where the
    /// reader has arguments.
    package func value<Value>(
        of setting: Setting<Value>,
        given: @autoclosure () -> [String]? = nil
    ) -> Value {
        let given = if let arguments { arguments[setting.name] } else { given() }
        let (value, place) = find(setting, given)
        let isHidden = place != nil && setting.hides?(value) == true
        let shown = isHidden ? .string(Self.hiddenText) : value.json
        entries.append(Entry(name: setting.name, value: shown, place: place))
        return value
    }

    /// What is shown of a value that mustn't be; it is no value itself.
    private static let hiddenText = "(secret)"

    /// Notes that a setting can't stand as it does.
    package func refuse(_ name: String, _ reason: String) {
        problems.append("\(place(of: name)): \(reason)")
    }

    /// Where a setting stands that has been read: the flag, the variable or the file and its key; the flag
    /// where it stands nowhere.
    package func place(of name: String) -> String {
        entries.last { $0.name == name }?.place ?? "--\(name)"
    }

    /// Throws what is wrong with the settings that have been read, and which keys are unknown.
    package func check() throws(SettingsError) {
        let known = entries.map(\.name)
        let unknown = (file?.keys ?? []).filter { !known.contains($0) }
        for key in unknown.prefix(Self.toldKeys) {
            let suggestion = nearest(to: key, among: known).map { ", perhaps \($0)" } ?? ""
            problems.append("\(file?.place(key) ?? key): no such option\(suggestion)")
        }
        if unknown.count > Self.toldKeys {
            problems.append("… and \(unknown.count - Self.toldKeys) more that are no options")
        }
        for name in (arguments ?? [:]).keys where !known.contains(name) {
            problems.append("--\(name): no such option")
        }
        if !problems.isEmpty { throw SettingsError(problems) }
    }

    /// As many unknown keys are told; a file with more is another kind of file.
    private static let toldKeys = 20

    /// The variables that are nobody's and near a setting's that has been read, with what was probably meant.
    ///
    /// They keep nothing from starting: platforms set variables of their own, as Kubernetes does
    /// `PLUGBOARD_SERVICE_HOST` beside a service of that name. `others` are the names of settings that are read
    /// elsewhere.
    package func doubts(besides others: [String]) -> [String] {
        guard !variables.isEmpty else { return [] }
        let known = entries.map(\.name) + others
        let unknown = Set(variables.keys).subtracting(known.map(Self.variable)).sorted()
        let doubts = unknown.compactMap { variable in
            nearest(to: String(variable.dropFirst("PLUGBOARD_".count)), among: known)
                .map { "\(Self.quoted(variable)): no such variable, perhaps \(Self.variable($0))" }
        }
        return Array(doubts.prefix(Self.toldKeys))
    }

    /// The settings that have been read, as a file has them.
    package var document: JSON { .object(JSON.Object(entries.map { ($0.name, $0.value) })) }

    private func find<Value>(_ setting: Setting<Value>, _ given: [String]?) -> (Value, String?) {
        if let given {
            let place = "--\(setting.name)"
            // A flag has no value behind it.
            let isFlag = if case .bool = Value.form { arguments != nil } else { false }
            let value = accept(
                isFlag ? nil : given,
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
        return (setting.fallback, nil)
    }

    private func accept<Value>(
        _ texts: [String]?,
        of setting: Setting<Value>,
        at place: String,
        found: @autoclosure () -> String
    ) -> Value {
        if setting.hides != nil, texts == [Self.hiddenText] {
            problems.append(
                "\(place): \(Self.hiddenText) stands for what isn't shown; give what it is, here or as "
                    + "\(Self.variable(setting.name))"
            )
            return setting.fallback
        }
        if let texts, let value = Value(texts: texts), setting.accepts(value) { return value }
        let expected = "\(place): expected \(setting.expected())"
        problems.append(setting.hides != nil ? expected : "\(expected), not \(found())")
        return setting.fallback
    }

    private static func quoted(_ text: String) -> String {
        "\(JSON.string(String(text.prefix(80))))"
    }
}

extension SettingValue {
    /// The value as a file has it; null where nothing is set.
    fileprivate var json: JSON {
        let texts = texts
        if case .strings = Self.form { return .array(texts.map(JSON.string)) }
        guard let text = texts.first else { return .null }
        switch Self.form {
        case .bool: return .bool(text == "true")
        case .number, .numberOrString: return JSON.Number(text).map(JSON.number) ?? .string(text)
        case .string, .strings: return .string(text)
        }
    }
}
