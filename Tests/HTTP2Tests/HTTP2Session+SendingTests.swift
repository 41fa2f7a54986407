import HTTP2Frames
import Testing

@testable import HTTP2
@testable import HTTPSyntax

@Suite("Sent frames of HTTP/2 (RFC 9113)")
struct HTTP2SessionSendingTests {
    @Test("a response's field names are lowercased, its values unchanged (§8.2)")
    func answer() throws {
        let witness = HTTP2Witness()
        let streams = [1, 3, 5] as [UInt32]
        witness.feed(streams.map { .headers($0, HTTP2Frame.request()) }, pieces: 7)
        let session = try #require(witness.session)
        let context = Unmanaged.passUnretained(witness).toOpaque()
        let lines = Array("Content-Type: Text/HTML\r\nX-Empty: \r\nX: a:\u{e9} b\r\n".utf8)
        let date = Array("Date: now\r\n".utf8)
        let decoder = HPACK.Decoder()
        date.withUnsafeBufferPointer { date in
            for (stream, length) in [(1, 0), (3, 17), (5, 4)] as [(Int32, Int)] {
                witness.answer = HTTP2Session.ResponseHead(
                    status: 207,
                    date: date,
                    fields: ResponseFields(lines: lines),
                    length: length
                )
                session.respond(stream, context, hasBody: false)
                var output = OutputBuffer(capacity: 64)
                session.write(to: &output, limit: .max)
                var bytes = Array(output.bytes)
                let fields = decoder.decode(bytes.takeFrame()?.payload ?? [])
                #expect(
                    fields.map { "\($0.name)=\($0.value)" } == [
                        ":status=207", "date=now", "content-type=Text/HTML", "x-empty=",
                        "x=a:\u{e9} b", "content-length=\(length)",
                    ]
                )
            }
        }
    }

    @Test("a head larger than a frame is continued in further frames (§4.3, §6.10)")
    func largeHead() throws {
        let witness = HTTP2Witness()
        witness.feed([.headers(1, HTTP2Frame.request())], pieces: 7)
        let session = try #require(witness.session)
        let text = String(repeating: "~", count: 20_000)
        witness.answer = HTTP2Session.ResponseHead(
            status: 200,
            date: ByteSpan(start: nil, count: 0),
            fields: ["x": text, "y": text],
            length: nil
        )
        session.respond(1, Unmanaged.passUnretained(witness).toOpaque(), hasBody: false)
        var output = OutputBuffer(capacity: 64)
        session.write(to: &output, limit: .max)
        var bytes = Array(output.bytes)
        var frames: [HTTP2Frame] = []
        while let frame = bytes.takeFrame() { frames.append(frame) }
        #expect(frames.map(\.kind) == [.headers, .continuation, .continuation])
        // END_STREAM belongs to the first, END_HEADERS to the last.
        #expect(frames.map(\.flags) == [1, 0, 4])
        #expect(frames.allSatisfy { $0.stream == 1 && $0.payload.count <= 16_384 })
        let fields = HPACK.Decoder().decode(frames.flatMap(\.payload))
        #expect(fields.map(\.value) == ["200", text, text])
    }

    @Test("100 precedes the response and doesn't change its encoding (§8.1)")
    func proceed() throws {
        let witness = HTTP2Witness()
        let request = HTTP2Frame.request("POST", "/")
        witness.feed([.headers(1, request, ends: false), .data(1, "x")], pieces: 7)
        let session = try #require(witness.session)
        witness.answer = HTTP2Session.ResponseHead(
            status: 200,
            date: ByteSpan(start: nil, count: 0),
            fields: ["x": "y"],
            length: 0
        )
        session.sendContinue(1)
        session.respond(1, Unmanaged.passUnretained(witness).toOpaque(), hasBody: false)
        var output = OutputBuffer(capacity: 64)
        session.write(to: &output, limit: .max)
        var bytes = Array(output.bytes)
        let decoder = HPACK.Decoder()
        var heads: [String] = []
        while let frame = bytes.takeFrame() {
            let fields = decoder.decode(frame.payload).map { "\($0.name)=\($0.value)" }
            heads.append("\(frame.flags) \(fields.joined(separator: " "))")
        }
        #expect(heads == ["4 :status=100", "5 :status=200 x=y content-length=0"])
    }

    @Test("the encoder respects the client's table size (§6.5.2)")
    func tableSize() throws {
        let witness = HTTP2Witness()
        let bound = HTTP2Frame.settings([(1, 0), (1, 1 << 20), (1, 64)])
        witness.feed([bound, .headers(1, HTTP2Frame.request())], pieces: 7)
        let session = try #require(witness.session)
        witness.answer = HTTP2Session.ResponseHead(
            status: 200,
            date: ByteSpan(start: nil, count: 0),
            fields: [:],
            length: nil
        )
        session.respond(1, Unmanaged.passUnretained(witness).toOpaque(), hasBody: false)
        var output = OutputBuffer(capacity: 64)
        session.write(to: &output, limit: .max)
        var bytes = Array(output.bytes)
        #expect(bytes.takeFrame()?.payload == [0x20, 0x3F, 33, 0x88])
    }
}
