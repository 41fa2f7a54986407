import JSONCodec
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Schemas of scalars")
struct ShapeFinderScalarsTests {
    @Test("an integer's range depends on its width")
    func integers() {
        func check<T: FixedWidthInteger & Decodable>(_ type: T.Type, _ format: JSON? = nil) {
            let schema = JSON.schema(of: type)
            #expect(schema["type"] == "integer")
            #expect(schema["format"] == format)
            #expect(schema["minimum"] == .number(JSON.Number(T.min)))
            #expect(schema["maximum"] == .number(JSON.Number(T.max)))
        }
        check(Int.self, "int64")
        check(Int8.self)
        check(Int16.self)
        check(Int32.self, "int32")
        check(Int64.self, "int64")
        check(Int128.self)
        check(UInt.self)
        check(UInt8.self)
        check(UInt16.self)
        check(UInt32.self)
        check(UInt64.self)
        check(UInt128.self)
    }

    @Test("128-bit integers are found as members, elements and single values")
    func wide() {
        // The protocols of containers have their own methods for these widths.
        struct Members: Decodable {
            var one: Int128
            var two: UInt128?
            var more: [Single]
            var last: UInt128
        }
        struct Single: Decodable {
            init(from decoder: any Decoder) throws {
                _ = try decoder.singleValueContainer().decode(UInt128.self)
            }
        }
        struct List: Decodable {
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                _ = try list.decode(Int128.self)
            }
        }
        let finder = ShapeFinder()
        let found = finder.shape(of: Members.self)
        let shape = finder.shapes.resolved(found)
        #expect(finder.shapes.problems == [])
        let schema = finder.shapes.schema(of: shape, in: "#/")
        #expect(schema["required"] == ["one", "more", "last"])
        let (least, greatest) = (JSON.Number(Int128.min), JSON.Number(UInt128.max))
        let members = schema["properties"]
        #expect(members?["one"]?["minimum"] == .number(least))
        #expect(members?["two"]?["maximum"] == .number(greatest))
        #expect(members?["more"]?["items"]?["maximum"] == .number(greatest))
        #expect(JSON.schema(of: List.self)["items"]?["minimum"] == .number(least))
    }

    @Test("a number's range depends on its type")
    func numbers() {
        #expect(JSON.schema(of: Double.self)["format"] == "double")
        #expect(JSON.schema(of: Float.self)["maximum"]?.double == 3.4028235e38)
        #expect(JSON.schema(of: Float.self)["minimum"]?.double == -3.4028235e38)
        let greatest = JSON.schema(of: Decimal.self)["maximum"]?.description
        #expect(greatest.flatMap { Decimal(string: $0) } == .greatestFiniteMagnitude)
    }

    @Test("base64's pattern accepts exactly the texts that decode (RFC 4648 §4)")
    func base64() throws {
        let pattern = try Pattern(#require(JSON.schema(of: Data.self)["pattern"]?.string))
        for text in ["", "AQID", "AQI=", "AQ==", "+/+/"] {
            #expect(pattern.matches(text))
            #expect(throws: Never.self) { try decode([Data].self, "[\"\(text)\"]") }
        }
        for text in ["A", "AQ", "AQI", "AQ=", "AQID=", "AQID====", "A===", "-_-_", "AQ ID"] {
            #expect(!pattern.matches(text), "\(text)")
            #expect(failure([Data].self, "[\"\(text)\"]") == "/0: expected base64", "\(text)")
        }
    }
}
