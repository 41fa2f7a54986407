import JSONCodec
import System

/// A JSON object of settings: `{"port": 9000, "plug": ["LikePhoto=MemoryLikePhoto"]}`.
package struct SettingsFile {
    /// What errors call it.
    let name: String
    private let members: JSON.Object

    /// Far more than all settings at their longest.
    private static let greatestSize = 1024 * 1024

    /// Reads a file; what is wrong with it as a whole is thrown.
    package init(path: String) throws(SettingsError) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileBytes.read(path, limit: Self.greatestSize, waits: true)
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

    /// The keys, in their order.
    var keys: [String] { members.names }

    /// A key, as errors name it.
    ///
    /// Cut, and without what a terminal would obey.
    func place(_ key: String) -> String {
        let shown = key.unicodeScalars.prefix(80).filter { $0.value >= 0x20 && $0.value != 0x7F }
        return "\(name): /\(JSONPointer.escaped(String(String.UnicodeScalarView(shown))))"
    }

    /// The value as the file has it, in few words.
    func found(_ key: String) -> String {
        switch members[key] {
        case nil: "nothing"
        case .object: "an object"
        case let value?: String("\(value)".prefix(80))
        }
    }

    /// A value by its form; nil where there is none.
    ///
    /// Values keep their JSON type: `"80"` is no number and 1 is not true. A null counts as absent.
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
            case .numberOrString: integer ?? string
            }
        return texts.map(SettingTexts.texts) ?? .wrong
    }

    private static func strings(_ value: JSON) -> [String]? {
        guard let elements = value.array else { return nil }
        let strings = elements.compactMap(\.string)
        return strings.count == elements.count ? strings : nil
    }
}
