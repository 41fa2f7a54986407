import JSONCodec
import SeededNumbers

func json(_ text: String) throws -> JSON { try JSON(parsing: text.utf8) }

func decode<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
    try JSON.decode(type, from: text.utf8)
}

func encode(_ value: some Encodable) throws -> String {
    String(decoding: try JSON.encode(value), as: UTF8.self)
}

/// The description of the error that `body` throws, nil where it throws none.
func failure(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch {
        return "\(error)"
    }
}

/// The description of the error of a decoding that must fail.
func failure<T: Decodable>(_ type: T.Type, _ text: String) -> String? {
    failure { _ = try decode(type, text) }
}

extension SeededNumbers {
    mutating func text() -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\u{0}", "\u{1F}", "é", "e", "\u{301}",
            "\u{2028}", "🙂", "\u{10FFFF}", "~",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...12, using: &self) {
            text.append(scalars[Int.random(in: 0..<scalars.count, using: &self)])
        }
        return String(text)
    }

    mutating func json(depth: Int) -> JSON {
        switch Int.random(in: 0...(depth > 0 ? 7 : 5), using: &self) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &self))
        case 2: return .number(JSON.Number(Int64.random(in: .min ... .max, using: &self)))
        case 3:
            let double = Double(bitPattern: next())
            return JSON.Number(double).map(JSON.number) ?? .null
        case 4, 5: return .string(text())
        case 6:
            let count = Int.random(in: 0...5, using: &self)
            return .array((0..<count).map { _ in json(depth: depth - 1) })
        default:
            let count = Int.random(in: 0...20, using: &self)
            return .object(
                JSON.Object((0..<count).map { _ in (text(), json(depth: depth - 1)) })
            )
        }
    }
}
