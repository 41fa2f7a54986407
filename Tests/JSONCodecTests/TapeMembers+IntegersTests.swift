import JSONCodec
import Testing

@Suite("Integers of each width as members")
struct TapeMembersIntegersTests {
    // Each width has its own method, which only code of that type calls.
    private struct Widths: Codable {
        var i: Int
        var i8: Int8
        var i16: Int16
        var i32: Int32
        var i64: Int64
        var i128: Int128
        var u: UInt
        var u8: UInt8
        var u16: UInt16
        var u32: UInt32
        var u64: UInt64
        var u128: UInt128
    }
    private struct Optionals: Codable {
        var i: Int?
        var i8: Int8?
        var i16: Int16?
        var i32: Int32?
        var i64: Int64?
        var i128: Int128?
        var u: UInt?
        var u8: UInt8?
        var u16: UInt16?
        var u32: UInt32?
        var u64: UInt64?
        var u128: UInt128?
    }

    private static let limits: [(name: String, least: String, greatest: String)] = [
        ("i", "\(Int.min)", "\(Int.max)"),
        ("i8", "\(Int8.min)", "\(Int8.max)"),
        ("i16", "\(Int16.min)", "\(Int16.max)"),
        ("i32", "\(Int32.min)", "\(Int32.max)"),
        ("i64", "\(Int64.min)", "\(Int64.max)"),
        ("i128", "\(Int128.min)", "\(Int128.max)"),
        ("u", "\(UInt.min)", "\(UInt.max)"),
        ("u8", "\(UInt8.min)", "\(UInt8.max)"),
        ("u16", "\(UInt16.min)", "\(UInt16.max)"),
        ("u32", "\(UInt32.min)", "\(UInt32.max)"),
        ("u64", "\(UInt64.min)", "\(UInt64.max)"),
        ("u128", "\(UInt128.min)", "\(UInt128.max)"),
    ]

    /// A document that has one value for each member, in the order of their names.
    private func document(_ value: (String, String, String) -> String) -> String {
        let members = Self.limits.map { "\"\($0.name)\":\(value($0.name, $0.least, $0.greatest))" }
        return "{" + members.sorted().joined(separator: ",") + "}"
    }

    @Test("the least and greatest values of each width are decoded and encoded")
    func ends() throws {
        for text in [document { _, least, _ in least }, document { _, _, greatest in greatest }] {
            #expect(try encode(decode(Widths.self, text)) == text)
            #expect(try encode(decode(Optionals.self, text)) == text)
        }
        #expect(try encode(decode(Optionals.self, document { _, _, _ in "null" })) == "{}")
    }

    @Test("values out of range, fractions and null are rejected", arguments: limits)
    func beyond(name: String, least: String, greatest: String) {
        let range = "/\(name): out of range: \(least) to \(greatest)"
        for (value, message) in [
            (greatest + "0", range), (least == "0" ? "-1" : least + "0", range),
            ("1.5", "/\(name): expected an integer"), ("true", "/\(name): expected an integer"),
        ] {
            let text = document { member, _, _ in member == name ? value : "0" }
            #expect(failure(Widths.self, text) == message)
            #expect(failure(Optionals.self, text) == message)
        }
        let text = document { member, _, _ in member == name ? "null" : "0" }
        #expect(failure(Widths.self, text) == "/\(name): expected an integer")
    }
}
