#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ShapeFinder {
    /// Returns the JSON Schema of types that this module decodes itself; nil for others.
    static func keywords(of type: Any.Type) -> JSON.Object? {
        switch type {
        case is String.Type: ["type": "string"]
        case is Bool.Type: ["type": "boolean"]
        case is Double.Type: ["type": "number", "format": "double"]
        case is Float.Type: number(shortestText(Float.greatestFiniteMagnitude), "float")
        case is Decimal.Type: number(greatestDecimal, nil)
        case is Int.Type: integer(Int.self, "int64")
        case is Int64.Type: integer(Int64.self, "int64")
        case is Int32.Type: integer(Int32.self, "int32")
        case is Int16.Type: integer(Int16.self, nil)
        case is Int8.Type: integer(Int8.self, nil)
        case is Int128.Type: integer(Int128.self, nil)
        case is UInt.Type: integer(UInt.self, nil)
        case is UInt64.Type: integer(UInt64.self, nil)
        case is UInt32.Type: integer(UInt32.self, nil)
        case is UInt16.Type: integer(UInt16.self, nil)
        case is UInt8.Type: integer(UInt8.self, nil)
        case is UInt128.Type: integer(UInt128.self, nil)
        case is Date.Type: ["type": "string", "format": "date-time"]
        case is UUID.Type: ["type": "string", "format": "uuid"]
        case is URL.Type: ["type": "string", "format": "uri-reference", "minLength": 1]
        case is Data.Type:
            [
                "type": "string", "contentEncoding": "base64",
                "pattern": "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
            ]
        default: nil
        }
    }

    /// The 128 bits and the exponent of `Decimal.greatestFiniteMagnitude`.
    private static let greatestDecimal = "340282366920938463463374607431768211455e127"

    private static func number(_ most: String, _ format: JSON?) -> JSON.Object {
        var keywords: JSON.Object = ["type": "number"]
        keywords["format"] = format
        keywords["minimum"] = .number(JSON.Number(checked: "-" + most))
        keywords["maximum"] = .number(JSON.Number(checked: most))
        return keywords
    }

    private static func integer<T: FixedWidthInteger>(
        _ type: T.Type,
        _ format: JSON?
    ) -> JSON.Object {
        var keywords: JSON.Object = ["type": "integer"]
        keywords["format"] = format
        keywords["minimum"] = .number(JSON.Number(T.min))
        keywords["maximum"] = .number(JSON.Number(T.max))
        return keywords
    }

    /// Sample texts for types that are decoded from one: empty, a number, a date, a URL, a UUID, a
    /// day, a colour, an address.
    static let texts = [
        "", "0", "a", "1", "2026-01-31T12:00:00Z", "https://example.com/",
        "123e4567-e89b-12d3-a456-426614174000", "2026-01-31", "#000000", "ada@example.com",
        "1.0.0", "EUR", "en",
    ]

    /// Returns a sample of a Foundation type.
    static func value<T>(_ type: T.Type) -> T? {
        switch type {
        case is Date.Type: Date(timeIntervalSince1970: 0) as? T
        case is UUID.Type: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) as? T
        case is URL.Type: URL(string: "https://example.com/") as? T
        case is Data.Type: Data() as? T
        case is Decimal.Type: Decimal(0) as? T
        default: nil
        }
    }
}
