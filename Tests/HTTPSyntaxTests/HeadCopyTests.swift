import Testing

@testable import HTTPSyntax

@Suite("Copies of a request head")
struct HeadCopyTests {
    @Test("a copy has method, demands and fields after the original bytes change")
    func held() throws {
        var bytes = Array(
            "HEAD /a?b HTTP/1.1\r\nHost: h\r\nIf-None-Match: \"x\"\r\nEmpty:\r\nA: 1\r\na: 2\r\n\r\n"
                .utf8
        )
        let held = try #require(
            bytes.withUnsafeMutableBufferPointer { bytes -> HeadCopy? in
                let parser = RequestParser()
                guard case .complete = parser.parse(UnsafeBufferPointer(bytes)) else { return nil }
                defer { bytes.update(repeating: 0x21) }
                return HeadCopy(parser.head)
            }
        )
        let head = held.head
        #expect(head.method == .head && head.demands == .match)
        #expect(head.fields.map(\.name.text) == ["Host", "If-None-Match", "Empty", "A", "a"])
        #expect(head.fields.map(\.value.text) == ["h", "\"x\"", "", "1", "2"])
        #expect(head.field("if-none-match")?.text == "\"x\"" && head.count(of: "a") == 2)
    }

    @Test("a head without fields can be copied")
    func empty() {
        #expect(HeadCopy(RequestHead()).head.fields.isEmpty)
    }
}
