import GuardedBytes
import Testing

@testable import HTTPSyntax

private func parse(_ text: String, now: Int = 1_700_000_000) -> Int? {
    let bytes = GuardedBytes(Array(text.utf8))
    return HTTPDate.parse(bytes.span, now: now)
}

@Suite("HTTP dates (RFC 9110 §5.6.7)")
struct HTTPDateTests {
    @Test("the RFC's example in three formats is one time")
    func forms() {
        #expect(parse("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
        #expect(parse("Sunday, 06-Nov-94 08:49:37 GMT") == 784_111_777)
        #expect(parse("Sun Nov  6 08:49:37 1994") == 784_111_777)
    }

    @Test(
        "a written date is parsed back",
        arguments: [0, 951_782_400, 951_868_799, 1_709_164_800, 4_102_444_800, 253_402_300_799]
    )
    func roundTrip(seconds: Int) {
        #expect(parse(HTTPDate.string(seconds)) == seconds)
    }

    @Test("a leap day is written correctly")
    func leapDay() {
        #expect(HTTPDate.string(951_782_400) == "Tue, 29 Feb 2000 00:00:00 GMT")
        #expect(HTTPDate.string(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
    }

    @Test("a timestamp has RFC 3339's format in UTC")
    func timestamp() {
        #expect(HTTPDate.timestamp(951_782_400) == "2000-02-29T00:00:00Z")
        #expect(HTTPDate.timestamp(784_111_777) == "1994-11-06T08:49:37Z")
        #expect(HTTPDate.timestamp(-1) == "1970-01-01T00:00:00Z")
    }

    @Test("a two-digit year is at most 50 years ahead")
    func twoDigitYear() {
        #expect(parse("Sunday, 06-Nov-74 08:49:37 GMT", now: 1_700_000_000) == 152_959_777)
        #expect(parse("Sunday, 06-Nov-73 08:49:37 GMT").map { $0 > 1_700_000_000 } == true)
        // To the second: now it is 2023-11-14T22:13:20Z.
        let (there, beyond) = ("Tuesday, 14-Nov-73 22:13:20 GMT", "Tuesday, 14-Nov-73 22:13:21 GMT")
        #expect(parse(there, now: 1_700_000_000) == 3_277_923_200)
        #expect(parse(beyond, now: 1_700_000_000) == 122_163_201)
    }

    @Test(
        "an invalid date is rejected",
        arguments: [
            "", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Xxx, 06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Xxx 1994 08:49:37 GMT", "Sun, 06 Nov 19x4 08:49:37 GMT",
            "Sun, 29 Feb 1900 00:00:00 GMT", "Sun,", "Sunday, 06-Nov-94",
            "Sunzzz, 06-Nov-94 08:49:37 GMT", "Mondayday, 06-Nov-94 08:49:37 GMT",
            "sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 199",
        ]
    )
    func refused(text: String) {
        #expect(parse(text) == nil)
    }
}
