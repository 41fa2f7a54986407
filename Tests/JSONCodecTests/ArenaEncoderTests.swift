import JSONCodec
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Encoding")
struct ArenaEncoderTests {
    @Test("writes dates, URLs, UUIDs, data and decimals as texts and numbers")
    func foundation() throws {
        func text(_ seconds: Double) throws -> String {
            try encode(Date(timeIntervalSince1970: seconds))
        }
        #expect(try text(1_769_860_800) == #""2026-01-31T12:00:00Z""#)
        #expect(try text(1_769_860_800.25) == #""2026-01-31T12:00:00.25Z""#)
        #expect(try text(0.9999999) == #""1970-01-01T00:00:01Z""#)
        #expect(try text(-0.5) == #""1969-12-31T23:59:59.5Z""#)
        #expect(try text(951_782_400) == #""2000-02-29T00:00:00Z""#)
        #expect(failure { _ = try text(1e15) } == "not a date of the years 1 to 9999")
        let url = try #require(URL(string: "https://eleven-labs.com/"))
        #expect(try encode(["u": url]) == #"{"u":"https://eleven-labs.com/"}"#)
        let uuid = UUID()
        #expect(try encode(uuid) == "\"\(uuid)\"")
        #expect(try encode(Data([1, 2, 3])) == #""AQID""#)
        let decimal = try #require(Decimal(string: "12345678901234567890.12"))
        #expect(try encode(decimal) == "12345678901234567890.12")
        #expect(failure { _ = try encode([Decimal.nan]) } == "/0: not a finite number")
    }

    @Test("encodes the members of a class and its superclass")
    func classes() throws {
        class Base: Encodable { let a = 1 }
        final class Derived: Base {
            let b = 2
            enum Key: CodingKey { case b }
            override func encode(to encoder: any Encoder) throws {
                try super.encode(to: encoder)
                var members = encoder.container(keyedBy: Key.self)
                try members.encode(b, forKey: .b)
            }
        }
        #expect(try encode(Derived()) == #"{"a":1,"b":2}"#)
    }

    @Test("two keys with one name are rejected")
    func equalTexts() {
        let dates = [
            Date(timeIntervalSince1970: 1e9): 1, Date(timeIntervalSince1970: 1e9 + 2e-7): 2,
        ]
        #expect(failure { _ = try encode(dates) } == "two keys have the same name")
    }
}
