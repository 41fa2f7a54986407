import Testing

@testable import JSONCodec

/// RFC 3339 §5.6 to §5.8.
@Suite("Timestamps (RFC 3339)")
struct TimestampTests {
    @Test(
        "a timestamp is written in UTC, to the microsecond, without an empty fraction",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (784_111_777, "1994-11-06T08:49:37Z"),
            (-1, "1969-12-31T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (0.5, "1970-01-01T00:00:00.5Z"), (-0.25, "1969-12-31T23:59:59.75Z"),
            (1.000_001, "1970-01-01T00:00:01.000001Z"), (0.999_999_9, "1970-01-01T00:00:01Z"),
            (-62_135_596_800, "0001-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
        ]
    )
    func text(seconds: Double, text: String) {
        #expect(Timestamp.text(seconds) == text)
        if seconds == seconds.rounded() { #expect(Timestamp.seconds(text) == seconds) }
    }

    @Test(
        "a timestamp outside of the years 1 to 9999 has no text",
        arguments: [-62_135_596_801, 253_402_300_800, 1e12, -1e300, .infinity, .nan]
    )
    func beyond(seconds: Double) {
        #expect(Timestamp.text(seconds) == nil)
    }

    @Test("offsets are subtracted, and a leap second is the next day's first second")
    func offsets() {
        for (text, seconds) in [
            ("1970-01-01T02:00:00+02:00", 0), ("1969-12-31T16:00:00-08:00", 0),
            ("1970-01-01t00:00:00z", 0), ("1970-01-01T00:00:00.250Z", 0.25),
            ("1990-12-31T23:59:60Z", 662_688_000), ("1990-12-31T15:59:60-08:00", 662_688_000),
        ] as [(String, Double)] {
            #expect(Timestamp.seconds(text) == seconds, "\(text)")
        }
    }

    @Test(
        "texts of another form are rejected",
        arguments: [
            "", "1970", "1970-01-01", "1970-01-01T00:00Z", "1970-01-01T00:00:00",
            "1970-13-01T00:00:00Z", "1970-02-29T00:00:00Z", "1970-01-01T24:00:00Z",
            "1970-01-01T00:60:00Z", "1970-01-01T00:00:61Z", "1970-01-15T23:59:60Z",
            "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00+24:00", "1970-01-01T00:00:00+01:60",
            "1970-01-01 00:00:00Z", "0000-01-01T00:00:00Z", "19700-01-01T00:00:00Z",
            "9999-12-31T23:59:59-00:01", "1970-01-01T00:00:00ZZ",
        ]
    )
    func invalid(text: String) {
        #expect(Timestamp.seconds(text) == nil)
    }
}
