package import Configuration
import Glibc
import JSONCodec

/// A JSON object of settings: `{"port": 9000, "plug": ["LikePhoto=MemoryLikePhoto"]}`.
///
/// A snapshot of our own: the library's reads `true` as the number 1, can't tell which keys nobody
/// asked for, and says of broken text neither line nor column.
package struct SettingsFile: ConfigSnapshot {
    package let providerName = "SettingsFile"
    /// What errors call it.
    let name: String
    private let members: JSON.Object

    /// Far more than all settings at their longest.
    private static let greatestSize = 1024 * 1024

    /// Reads a file; what is wrong with it as a whole is thrown.
    package init(path: String) throws(SettingsError) {
        guard let bytes = Self.read(path) else {
            throw SettingsError("\(path): \(String(cString: strerror(errno)))")
        }
        guard bytes.count <= Self.greatestSize else {
            throw SettingsError("\(path): larger than \(Self.greatestSize) bytes")
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

    func has(_ key: String) -> Bool { members[key] != nil }

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

    // Values keep their JSON type: `"80"` is no number and 1 is not true. A null is as good as
    // nothing.
    package func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        let name = key.components.joined(separator: ".")
        guard let value = members[name], value != .null else {
            return LookupResult(encodedKey: name, value: nil)
        }
        let content: ConfigContent? =
            switch type {
            case .string: value.string.map(ConfigContent.string)
            case .int: value.int.map(ConfigContent.int)
            case .double: value.double.map(ConfigContent.double)
            case .bool: value.bool.map(ConfigContent.bool)
            case .stringArray: Self.strings(value).map(ConfigContent.stringArray)
            case .bytes, .intArray, .doubleArray, .boolArray, .byteChunkArray: nil
            }
        guard let content else { throw SettingsError("\(name): not a \(type.rawValue)") }
        return LookupResult(encodedKey: name, value: ConfigValue(content, isSecret: false))
    }

    private static func strings(_ value: JSON) -> [String]? {
        guard let elements = value.array else { return nil }
        let strings = elements.compactMap(\.string)
        return strings.count == elements.count ? strings : nil
    }

    private static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        while bytes.count <= greatestSize {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }
}
