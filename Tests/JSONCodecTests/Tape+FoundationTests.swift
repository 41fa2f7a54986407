import JSONCodec
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value is stored as it was sent, or rejected: nothing is repaired.
@Suite("Decoding of dates and decimals")
struct TapeFoundationTests {
    @Test("a decimal retains all digits or is rejected")
    func decimals() throws {
        let digits = String(repeating: "9", count: 38)
        #expect(try encode(decode(Decimal.self, digits)) == digits)
        #expect(try encode(decode(Decimal.self, "0.\(digits)")) == "0.\(digits)")
        #expect(try decode(Decimal.self, "1.50e3") == 1500)
        for text in [
            "1\(digits)1", "0.1\(digits)1", "-1\(digits)1", "1e400", "1e-400", "1e99999999999999",
        ] {
            #expect(failure([Decimal].self, "[\(text)]")?.hasPrefix("/0: ") == true, "\(text)")
        }
    }

    @Test("reads a decimal whose power is above Foundation's, and rejects one beyond its range")
    func greatDecimals() throws {
        for text in ["2e128", "3.4028236692093846e164", "-1e165"] {
            let value = try decode(Decimal.self, text)
            #expect(try decode(Decimal.self, encode(value)) == value, "\(text)")
        }
        #expect(try decode(Decimal.self, "2e128") == Decimal(string: "20e127"))
        for text in ["1e166", "-4e165"] {
            #expect(failure([Decimal].self, "[\(text)]") == "/0: out of range", "\(text)")
        }
    }

    @Test("a date retains the digits of its fraction or is rejected")
    func fractions() throws {
        for text in [
            "2026-01-31T12:00:00.123456Z", "2026-01-31T12:00:00.000001Z", "2026-01-31T12:00:00.9Z",
            "1970-01-01T00:00:00.000001Z", "0001-01-01T00:00:00.5Z", "9999-12-31T23:59:59.999Z",
        ] {
            #expect(try encode(decode([Date].self, "[\"\(text)\"]")) == "[\"\(text)\"]")
        }
        #expect(
            try encode(decode([Date].self, #"["2026-01-31T12:00:00.2500000000Z"]"#)).contains(
                ".25Z"
            )
        )
        for (text, words) in [
            ("2026-01-31T12:00:00.1234567Z", "a fraction of at most six digits"),
            (
                "9999-12-31T23:59:59.123456Z",
                "a shorter fraction, as for all dates so far from 2001"
            ),
        ] {
            #expect(failure([Date].self, "[\"\(text)\"]") == "/0: expected \(words)")
        }
    }

    @Test("reads dates with and without a fraction, URLs, UUIDs, data and decimals")
    func foundation() throws {
        let second = Date(timeIntervalSince1970: 1_769_860_800)
        #expect(try decode(Date.self, #""2026-01-31T12:00:00Z""#) == second)
        #expect(try decode(Date.self, #""2026-01-31T14:00:00+02:00""#) == second)
        #expect(try decode(Date.self, #""2026-01-31T12:00:00.25Z""#) == second + 0.25)
        #expect(try decode(Date.self, #""1969-12-31T23:59:59Z""#).timeIntervalSince1970 == -1)
        #expect(try decode(URL.self, #""https://eleven-labs.com/""#).host() == "eleven-labs.com")
        let uuid = UUID()
        #expect(try decode(UUID.self, "\"\(uuid)\"") == uuid)
        #expect(try decode(Data.self, #""AQID""#) == Data([1, 2, 3]))
        #expect(
            try decode(Decimal.self, "12345678901234567890.12")
                == Decimal(string: "12345678901234567890.12")
        )
        #expect(
            failure(Date.self, #""2026-02-30T12:00:00Z""#)?.hasPrefix("expected a date") == true
        )
        #expect(failure(Date.self, "0") == "expected a string")
        #expect(failure(URL.self, #""""#) == "expected a URL")
        #expect(failure([UUID].self, #"["x"]"#) == "/0: expected a UUID")
        #expect(failure(Data.self, #""*""#) == "expected base64")
        #expect(failure(Decimal.self, #""1""#) == "expected a number")
    }

    @Test(
        "a date outside of the years 1 to 9999 in UTC is rejected",
        arguments: [
            "9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59.9999999999Z", "9999-12-31T23:59:60Z",
            "0001-01-01T00:00:00+00:01", "0000-12-31T23:59:59Z",
        ]
    )
    func datesBeyond(text: String) {
        #expect(failure([Date].self, "[\"\(text)\"]")?.hasPrefix("/0: expected a date") == true)
    }

    @Test(
        "the earliest and the latest accepted date can be written",
        arguments: [
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
            ("0001-01-01T00:01:00+00:01", "0001-01-01T00:00:00Z"),
            ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
            ("9999-12-31T00:00:59-23:59", "9999-12-31T23:59:59Z"),
            // RFC 3339 §5.8: 1990's leap second, in UTC and in California.
            ("1990-12-31T23:59:60Z", "1991-01-01T00:00:00Z"),
            ("1990-12-31T15:59:60-08:00", "1991-01-01T00:00:00Z"),
        ]
    )
    func datesAtTheEnds(text: String, written: String) throws {
        let date = try decode(Date.self, "\"\(text)\"")
        let again = try encode([date]).dropFirst(2).dropLast(2)
        // A fraction is as near as a binary number is.
        #expect(again.prefix(20) == written.prefix(20))
        #expect(try decode(Date.self, "\"\(again)\"") == date)
    }
}
