import GuardedBytes
import Testing

@testable import HTTPSyntax

private enum Outcome: Equatable {
    case body(String, rest: String)
    case unfinished
    case failed(UInt16)
}

/// Decodes in pieces of the given size, each flush against an unreadable page.
private func decode(_ bytes: [UInt8], piece: Int) -> Outcome {
    var decoder = ChunkedDecoder()
    var body: [UInt8] = []
    var start = 0
    while start < bytes.count {
        let end = min(start + piece, bytes.count)
        let input = GuardedBytes(bytes[start..<end])
        var offset = 0
        reading: while true {
            switch decoder.next(input.span, &offset) {
            case .data(let range): body += input.span[range]
            case .needsMore: break reading
            case .end(let end):
                let rest = bytes[(start + end)...]
                return .body(
                    String(decoding: body, as: UTF8.self),
                    rest: String(decoding: rest, as: UTF8.self)
                )
            case .failed(let error): return .failed(error.status)
            }
        }
        start = end
    }
    return .unfinished
}

/// Decodes in pieces of every size, and wants one outcome of all.
private func decode(_ text: String) -> Outcome {
    let bytes = Array(text.utf8)
    let outcome = decode(bytes, piece: max(bytes.count, 1))
    for piece in 1...max(1, bytes.count) {
        #expect(decode(bytes, piece: piece) == outcome, "in pieces of \(piece)")
    }
    return outcome
}

@Suite("Chunked bodies (RFC 9112 §7.1)")
struct ChunkedDecoderTests {
    @Test(
        "chunks, extensions and trailers are decoded",
        arguments: [
            ("5\r\nhello\r\n0\r\n\r\n", "hello"), ("0\r\n\r\n", ""), ("000\r\n\r\n", ""),
            ("1\r\na\r\n2\r\nbc\r\n0\r\n\r\n", "abc"),
            ("A\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
            ("0a\r\n0123456789\r\n0\r\n\r\n", "0123456789"), ("2\r\n\r\n\r\n0\r\n\r\n", "\r\n"),
            ("1;a\r\nx\r\n0;b=c\r\n\r\n", "x"), ("1;a=\"b;\\\"c\"\r\nx\r\n0\r\n\r\n", "x"),
            ("1 ; a = b ; c\r\nx\r\n0\r\n\r\n", "x"), ("0\r\nA: b\r\nC:\r\n\r\n", ""),
        ]
    )
    func decoded(text: String, body: String) {
        #expect(decode(text + "GET") == .body(body, rest: "GET"))
    }

    @Test(
        "an ambiguous chunked body is rejected",
        arguments: [
            "\r\n\r\n", "x\r\n", " 1\r\nx\r\n0\r\n\r\n", "1 \r\nx\r\n", "+1\r\nx\r\n",
            "-1\r\nx\r\n",
            "0x1\r\nx\r\n", "1_0\r\n", "1\nx\r\n0\r\n\r\n", "1\rx\r\n", "1\r\nxx\r\n0\r\n\r\n",
            "1\r\nx\n0\r\n\r\n", "1\r\nx0\r\n\r\n", "2\r\nx\r\n0\r\n\r\n", "0\r\n\n", "0\n\r\n",
            "1;\r\nx\r\n", "1;a=\r\nx\r\n", "1;a=\"b\r\nx\r\n", "1;a\nx\r\n", "1;a\u{0}\r\n",
            "1;a b\r\n", "1;=b\r\n", "1;a=b c\r\n", "1;a=\"b\"c\r\n", "0\r\n A: b\r\n\r\n",
            "0\r\nA : b\r\n\r\n", "0\r\nA\r\n\r\n", "0\r\n: b\r\n\r\n", "0\r\nA: b\n\r\n",
            "0\r\nA: \u{0}\r\n\r\n", "0\r\nA: b\r\r\n\r\n", "0\r\n\rX",
        ]
    )
    func refused(text: String) {
        #expect(decode(text) == .failed(400))
    }

    @Test(
        "an incomplete body is unfinished",
        arguments: ["5\r\nhell", "5", "0\r\n\r", "0\r\n"]
    )
    func unfinished(text: String) {
        #expect(decode(text) == .unfinished)
    }

    @Test("a size beyond any body doesn't wrap around (§7.1)")
    func overflow() {
        #expect(decode("10000000000000005\r\nhello\r\n0\r\n\r\n") == .failed(413))
        #expect(decode("FFFFFFFFFFFFFFFF\r\n") == .failed(413))
    }

    @Test("extensions, leading zeros and trailers are limited")
    func bounds() {
        let long = String(repeating: "a", count: 9000)
        let zeros = String(repeating: "0", count: 9000)
        func whole(_ text: String) -> Outcome { decode(Array(text.utf8), piece: text.utf8.count) }
        #expect(whole("1;\(long)\r\nx\r\n0\r\n\r\n") == .failed(400))
        #expect(whole("\(zeros)1\r\nx\r\n0\r\n\r\n") == .failed(400))
        #expect(whole("0\r\nA: \(long)\r\n\r\n") == .failed(431))
        let many = String(repeating: "1;\(long.prefix(100))\r\nx\r\n", count: 100)
        #expect(whole(many + "0\r\n\r\n") == .failed(400))
        // Data that came before is no leave for a line without end.
        let data = String(repeating: "a", count: 0x10000)
        #expect(whole("10000\r\n\(data)\r\n1;\(long)\r\nx\r\n") == .failed(400))
    }

    @Test("extensions and zeros no longer than the data don't count against the limit")
    func proportionate() {
        let data = String(repeating: "a", count: 100)
        let chunk = "00000064;chunk-signature=\(data.prefix(64))\r\n\(data)\r\n"
        let text = String(repeating: chunk, count: 1_000) + "0;a=b\r\n\r\n"
        let body = String(repeating: data, count: 1_000)
        for piece in [1, 7, 4_096, text.utf8.count] {
            #expect(decode(Array(text.utf8), piece: piece) == .body(body, rest: ""))
        }
    }
}
