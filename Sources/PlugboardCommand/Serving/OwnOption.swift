import ArgumentParser
import JSONCodec
import Settings

/// An option that a server declares itself, as the parser describes it.
struct OwnOption: Equatable {
    let name: String
    /// The form of its value: a flag's, a list's, or any text.
    let form: SettingForm
    /// Whether the flag has a `--no-` form.
    let hasInversion: Bool
}

extension OwnOptions {
    /// The server's own options with a long name.
    ///
    /// The parser's description is JSON. Its usage omits the options if there are more than 12.
    static var declared: [OwnOption] {
        let description = try? JSON(parsing: _dumpHelp().utf8)
        let arguments = description?["command"]?["arguments"]?.array ?? []
        let named = arguments.flatMap { argument in
            (argument["names"]?.array ?? []).compactMap { name -> (String, SettingForm)? in
                guard name["kind"] == "long", let text = name["name"]?.string else { return nil }
                if argument["kind"] == "flag" { return (text, .bool) }
                return (text, argument["isRepeating"] == true ? .strings : .text)
            }
        }
        let names = Set(named.map(\.0))
        return named.compactMap { name, form in
            guard name != "help", name != "version" else { return nil }
            if form == .bool, name.hasPrefix("no-"), names.contains(String(name.dropFirst(3))) {
                return nil
            }
            return OwnOption(name: name, form: form, hasInversion: names.contains("no-\(name)"))
        }
    }
}
