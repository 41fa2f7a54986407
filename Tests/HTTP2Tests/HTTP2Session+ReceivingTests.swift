import HTTP2Frames
import Testing

@testable import HTTP2

@Suite("Received frames of HTTP/2 (RFC 9113)")
struct HTTP2SessionReceivingTests {
    @Test(
        "a body whose length differs from content-length resets the stream (§8.1.1)",
        arguments: [3, 4, 5]
    )
    func length(count: Int) {
        let fields = HTTP2Frame.request("POST", "/", [("content-length", "4")])
        let body = String(repeating: "x", count: count)
        let witness = serveHTTP2([.headers(1, fields, ends: false), .data(1, body)])
        #expect(witness.outcome == (count == 4 ? .served : .reset(1)))
        #expect(witness.isEnded == (count == 4))
    }

    @Test(
        "trailers end the request and have the limits of a head (§8.1)",
        arguments: [
            ([("checksum", "1")], .served),
            ([(":path", "/")], .reset(1)),
            ([("Checksum", "1")], .reset(1)),
            ([("x", String(repeating: "a", count: 16_320)), ("y", "")], .reset(11)),
        ] as [([(String, String)], HTTP2Outcome)]
    )
    fileprivate func trailers(fields: [(String, String)], outcome: HTTP2Outcome) {
        let head = HTTP2Frame.headers(1, HTTP2Frame.request("POST", "/"), ends: false)
        let witness = serveHTTP2([head, .data(1, "x", ends: false), .headers(1, fields)])
        #expect(witness.outcome == outcome)
        #expect(witness.isEnded || outcome == .reset(1))
    }

    @Test("trailers that don't end the stream are malformed (§8.1)")
    func openTrailers() {
        let head = HTTP2Frame.headers(1, HTTP2Frame.request("POST", "/"), ends: false)
        #expect(serveHTTP2([head, .headers(1, [("x", "y")], ends: false)]).outcome == .reset(1))
    }

    @Test(
        "a frame on a stream that the client has ended ends the session (§5.1)",
        arguments: [1, 3, 9] as [UInt32]
    )
    func ended(stream: UInt32) {
        let streams = [1, 3, 5, 7, 9] as [UInt32]
        let heads = streams.map { HTTP2Frame.headers($0, HTTP2Frame.request()) }
        #expect(serveHTTP2(heads + [.headers(stream, [("x", "y")])]).outcome == .goAway(5))
        // Whether it was answered or broken off.
        let open = HTTP2Frame.headers(11, HTTP2Frame.request("POST", "/"), ends: false)
        let late = HTTP2Frame.headers(11, [("x", "y")])
        #expect(serveHTTP2(heads + [open, .reset(11), late]).outcome == .goAway(5))
        #expect(serveHTTP2(heads + [open, .reset(11), .data(11, "x")]).outcome == .goAway(5))
    }
}
