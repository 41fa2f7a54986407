import JSONCodec
import System

/// A JSON object of settings: `{"port": 9000, "plug": ["LikePhoto=MemoryLikePhoto"]}`.
package struct SettingsFile {
    /// The file's name in error messages.
    let name: String
    private let members: JSON.Object

    /// Far more than all settings at their maximum length.
    private static let maximumSize = 1024 * 1024

    /// Reads a file; throws if the file as a whole is invalid.
    package init(path: String) throws(SettingsError) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileBytes.read(path, limit: Self.maximumSize, waits: true)
        } catch {
            throw SettingsError(error.description)
        }
        try self.init(name: path, json: bytes)
    }

    package init(name: String, json: some Sequence<UInt8>) throws(SettingsError) {
        self.name = name
        let value: JSON
        do throws(JSONError) {
            value = try JSON(parsing: json)
        } catch {
            throw SettingsError("\(name): \(error)")
        }
        guard let members = value.object else { throw SettingsError("\(name): expected an object") }
        self.members = members
    }

    /// The keys, in the file's order.
    var keys: [String] { members.names }

    /// Returns a key for error messages, cut and without control characters.
    func place(_ key: String) -> String {
        let shown = key.unicodeScalars.prefix(80).filter { $0.value >= 0x20 && $0.value != 0x7F }
        return "\(name): /\(JSONPointer.escaped(String(String.UnicodeScalarView(shown))))"
    }

    /// Returns a short description of a key's value.
    func found(_ key: String) -> String {
        switch members[key] {
        case nil: "nothing"
        case .object: "an object"
        case let value?: String("\(value)".prefix(80))
        }
    }

    /// Returns a value of a JSON type; nil if the file has none.
    ///
    /// Types are strict: `"80"` is not a number and 1 is not true. Null counts as absent.
    func texts(_ key: String, as form: SettingForm) -> SettingTexts? {
        guard let value = members[key], value != .null else { return nil }
        let integer = value.int.map { [String($0)] }
        let string = value.string.map { [$0] }
        let texts: [String]? =
            switch form {
            case .bool: value.bool.map { [String($0)] }
            case .number: integer
            case .string: string
            case .strings: Self.strings(value)
            case .numberOrString, .text: integer ?? string
            }
        return texts.map(SettingTexts.texts) ?? .wrong
    }

    private static func strings(_ value: JSON) -> [String]? {
        guard let elements = value.array else { return nil }
        let strings = elements.compactMap(\.string)
        return strings.count == elements.count ? strings : nil
    }
}
