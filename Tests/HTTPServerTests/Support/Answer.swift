/// An answer as a client reads it.
struct Answer {
    let status: Int
    /// The head's lines behind the first.
    let fields: [String]
    let body: [UInt8]
    /// The bytes that it took.
    let length: Int

    /// Reads the first answer of these bytes; nil if it isn't whole.
    init?(_ bytes: [UInt8], toHead: Bool) {
        guard let headLength = Self.headLength(bytes) else { return nil }
        let text = String(decoding: bytes.prefix(headLength - 4), as: UTF8.self)
        let lines = text.split(separator: "\r\n").map(String.init)
        status = Int(lines.first?.split(separator: " ").dropFirst().first ?? "") ?? 0
        fields = Array(lines.dropFirst())
        let announced = Self.value("content-length", fields).flatMap { Int($0) } ?? 0
        let bodyLength = toHead || status < 200 || status == 204 || status == 304 ? 0 : announced
        length = headLength + bodyLength
        guard bytes.count >= length else { return nil }
        body = Array(bytes[headLength..<length])
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    func field(_ name: String) -> String? { Self.value(name, fields) }

    private static func value(_ name: String, _ fields: [String]) -> String? {
        for line in fields where line.lowercased().hasPrefix(name.lowercased() + ": ") {
            return String(line.dropFirst(name.count + 2))
        }
        return nil
    }

    private static func headLength(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        for index in 0...(bytes.count - 4)
        where bytes[index] == 0x0D && bytes[index + 1] == 0x0A && bytes[index + 2] == 0x0D
            && bytes[index + 3] == 0x0A
        {
            return index + 4
        }
        return nil
    }
}
