import Testing

@testable import PlugHTTP

@Suite("Server-sent events on the wire (HTML Standard §9.2)")
struct ServerSentEventTests {
    private func text(_ event: ServerSentEvent) -> String {
        String(decoding: event.bytes, as: UTF8.self)
    }

    @Test("an event has a line for each field, then an empty line")
    func fields() {
        let event = ServerSentEvent(data: "1", event: "like", id: "7", retry: .milliseconds(1500))
        #expect(text(event) == "event: like\nid: 7\nretry: 1500\ndata: 1\n\n")
    }

    @Test(
        "retry is clamped to the range from zero to a browser's 32 bits",
        arguments: [
            (Duration.seconds(Int64.max), "2147483647"), (.milliseconds(Int64.max), "2147483647"),
            (.seconds(Int64.min), "0"), (.milliseconds(-1), "0"), (.microseconds(1999), "1"),
        ]
    )
    func retry(_ time: Duration, _ value: String) {
        #expect(text(ServerSentEvent(data: "1", retry: time)) == "retry: \(value)\ndata: 1\n\n")
    }

    @Test("each line of the data is a field, with any line ending")
    func lines() {
        #expect(
            text(ServerSentEvent(data: "a\nb\r\nc\rd")) == "data: a\ndata: b\ndata: c\ndata: d\n\n"
        )
        #expect(text(ServerSentEvent(data: "")) == "data: \n\n")
        #expect(text(ServerSentEvent(data: "a\n")) == "data: a\ndata: \n\n")
        #expect(text(ServerSentEvent(data: "\r\n\r\n")) == "data: \ndata: \ndata: \n\n")
    }

    @Test("line breaks in an event's type or ID can't add a field")
    func injection() {
        let event = ServerSentEvent(data: "x", event: "a\ndata: y", id: "1\r\nretry: 0\0")
        #expect(text(event) == "event: adata: y\nid: 1retry: 0\ndata: x\n\n")
    }

    @Test("a sequence of events is an EventStream, a sequence of bytes a ResponseBody")
    func sequences() async throws {
        let (events, continuation) = AsyncStream.makeStream(of: ServerSentEvent.self)
        continuation.yield(ServerSentEvent(data: "1"))
        continuation.yield(ServerSentEvent(data: "2"))
        continuation.finish()
        var seen: [String] = []
        for try await event in EventStream(events) { seen.append(event.data) }
        #expect(seen == ["1", "2"])

        let (pieces, ends) = AsyncStream.makeStream(of: [UInt8].self)
        ends.yield([1])
        ends.yield([2, 3])
        ends.finish()
        var bytes: [UInt8] = []
        for try await piece in ResponseBody(pieces) { bytes += piece }
        #expect(bytes == [1, 2, 3])
    }
}
