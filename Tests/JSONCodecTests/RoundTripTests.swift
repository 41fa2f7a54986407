import JSONCodec
import SeededNumbers
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private enum Size: String, Codable, CaseIterable { case small, large, other = "gr\u{f6}\u{df}e" }
private enum Level: Int8, Codable, CaseIterable { case low = -1, high = 7 }
private struct Name: RawRepresentable, Codable, Hashable { var rawValue: String }

private struct Scalars: Codable, Hashable {
    var text: String, flag: Bool, size: Size, level: Level, name: Name
    var integer: Int, byte: Int8, wide: UInt64, widest: Int128
    var double: Double, float: Float, decimal: Decimal
    var date: Date, id: UUID, page: URL, data: Data
}

private struct Everything: Codable, Hashable {
    var scalars: Scalars, maybe: Scalars?
    var list: [Scalars], texts: [String]?, sparse: [Int?], set: Set<String>, nested: [[Int]]
    var byText: [String: Scalars], bySize: [Size: Int], byLevel: [Level: [Size: Bool]]
    var byInteger: [Int: String], byID: [UUID: Level], byName: [Name: Date]?
    var byFlag: [Bool: Double], children: [Everything]
}

extension SeededNumbers {
    private mutating func integer<T: FixedWidthInteger>(_ type: T.Type) -> T {
        let extremes: [T] = [.min, .max, 0, 1]
        let isExtreme = Bool.random(using: &self)
        return isExtreme
            ? extremes[Int.random(in: 0..<4, using: &self)] : T(truncatingIfNeeded: next())
    }

    private mutating func list<T>(_ make: (inout Self) -> T) -> [T] {
        (0..<Int.random(in: 0...3, using: &self)).map { _ in make(&self) }
    }

    private mutating func maybe<T>(_ make: (inout Self) -> T) -> T? {
        Bool.random(using: &self) ? make(&self) : nil
    }

    private mutating func map<K: Hashable, V>(
        _ key: (inout Self) -> K,
        _ value: (inout Self) -> V
    ) -> [K: V] {
        Dictionary(list { (key(&$0), value(&$0)) }) { first, _ in first }
    }

    private mutating func size() -> Size { Size.allCases.randomElement(using: &self) ?? .small }
    private mutating func level() -> Level { Level.allCases.randomElement(using: &self) ?? .low }

    private mutating func id() -> UUID {
        var bytes = UUID().uuid
        let (left, right) = (next(), next())
        withUnsafeMutableBytes(of: &bytes) { bytes in
            bytes.storeBytes(of: left, as: UInt64.self)
            bytes.storeBytes(of: right, toByteOffset: 8, as: UInt64.self)
        }
        return UUID(uuid: bytes)
    }

    private mutating func double() -> Double {
        let bits = Double(bitPattern: next())
        return bits.isFinite ? bits : -0.0
    }

    private mutating func float() -> Float {
        let bits = Float(bitPattern: UInt32(truncatingIfNeeded: next()))
        return bits.isFinite ? bits : Float.greatestFiniteMagnitude
    }

    /// A date of the years 1970 to 2106, to the microsecond.
    private mutating func date() -> Date {
        let micros = Double(UInt32.random(in: 0..<1_000_000, using: &self))
        let second = Double(UInt32(truncatingIfNeeded: next()))
        return Date(timeIntervalSince1970: second + micros / 1e6)
    }

    private mutating func decimal() -> Decimal {
        let digits = "\(next())\(next())".prefix(38).drop { $0 == "0" }
        let exponent = Int.random(in: -100...100, using: &self)
        return Decimal(string: "-\(digits)e\(exponent)") ?? 0
    }

    private mutating func page() -> URL {
        let texts = ["https://a.b/%20?q#f", "../x", "urn:x:y", "//[::1]:8/", "?", "a%C3%A9"]
        return texts.randomElement(using: &self).flatMap { URL(string: $0) } ?? URL(filePath: "/")
    }

    private mutating func scalars() -> Scalars {
        Scalars(
            text: text(),
            flag: Bool.random(using: &self),
            size: size(),
            level: level(),
            name: Name(rawValue: text()),
            integer: integer(Int.self),
            byte: integer(Int8.self),
            wide: integer(UInt64.self),
            widest: integer(Int128.self),
            double: double(),
            float: float(),
            decimal: decimal(),
            date: date(),
            id: id(),
            page: page(),
            data: Data(text().utf8)
        )
    }

    fileprivate mutating func everything(_ depth: Int) -> Everything {
        Everything(
            scalars: scalars(),
            maybe: maybe { $0.scalars() },
            list: list { $0.scalars() },
            texts: maybe { $0.list { $0.text() } },
            sparse: list { $0.maybe { $0.integer(Int.self) } },
            set: Set(list { $0.text() }.prefix(1)),
            nested: list { $0.list { $0.integer(Int.self) } },
            byText: map({ $0.text() }, { $0.scalars() }),
            bySize: map({ $0.size() }, { $0.integer(Int.self) }),
            byLevel: map({ $0.level() }, { $0.map({ $0.size() }, { _ in true }) }),
            byInteger: map({ $0.integer(Int.self) }, { $0.text() }),
            byID: map({ $0.id() }, { $0.level() }),
            byName: maybe { $0.map({ Name(rawValue: $0.text()) }, { $0.date() }) },
            byFlag: map({ Bool.random(using: &$0) }, { $0.double() }),
            children: depth == 0 ? [] : list { $0.everything(depth - 1) }
        )
    }
}

@Suite("Encoding and decoding of random values")
struct RoundTripTests {
    @Test(
        "decoding an encoded value returns it, and its JSON is valid by the type's schema",
        arguments: (0 as UInt64)..<60
    )
    func everything(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let value = numbers.everything(1)
        let bytes = try JSON.encode(value)
        #expect(try JSON.decode(validating: Everything.self, from: bytes) == value)
        #expect(try JSON.encode(JSON.decode(Everything.self, from: bytes)) == bytes)
        let validator = SchemaValidator(root: JSON.schema(of: Everything.self))
        #expect(validator.violation(try JSON(parsing: bytes)) == nil)
    }

    @Test("the validator finds values that are invalid by the schema")
    func invalid() throws {
        let validator = SchemaValidator(root: JSON.schema(of: [Size: [Level: UInt8]].self))
        #expect(validator.violation(try json(#"{"small":{"7":255}}"#)) == nil)
        for text in ["[]", #"{"huge":{}}"#, #"{"small":{"8":1}}"#, #"{"small":{"7":256}}"#] {
            #expect(validator.violation(try json(text)) != nil, "\(text)")
        }
    }
}
