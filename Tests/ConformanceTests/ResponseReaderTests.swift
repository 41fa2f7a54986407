import Testing

/// The suite's own judge, judged without a server: what it lets pass no case would find.
@Suite("The response reader")
struct ResponseReaderTests {
    private static func read(
        _ text: String,
        heads: Set<Int> = [],
        atEnd: Bool = true
    ) throws -> (
        answers: [Response], leftover: Int
    ) {
        var reader = ResponseReader()
        var answers: [Response] = []
        for byte in octets(text) {
            reader.feed([byte])
            while let answer = try reader.next(
                toHEAD: heads.contains(answers.count),
                atEnd: false
            ) {
                answers.append(answer)
            }
        }
        if atEnd, let answer = try reader.next(toHEAD: false, atEnd: true) {
            answers.append(answer)
        }
        return (answers, reader.leftover)
    }

    @Test("two responses with lengths are read as two responses")
    func lengths() throws {
        let one = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
        let (answers, leftover) = try Self.read(one + one)
        #expect(answers.map(\.status) == [200, 200])
        #expect(answers.map(\.text) == ["hi", "hi"])
        #expect(leftover == 0)
    }

    @Test("a chunked response ends after its last chunk and trailers")
    func chunks() throws {
        let text =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x\r\nhi\r\n0\r\nA: b\r\n\r\n"
        let (answers, leftover) = try Self.read(text + "HTTP/1.1 204 No Content\r\n\r\n")
        #expect(answers.map(\.status) == [200, 204])
        #expect(answers.first?.text == "hi")
        #expect(leftover == 0)
    }

    @Test("the response to HEAD has no body even if it announces one")
    func head() throws {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
        let (answers, leftover) = try Self.read(text + text + "hi", heads: [0])
        #expect(answers.map(\.text) == ["", "hi"])
        #expect(leftover == 0)
    }

    @Test("a body without a length lasts until the end")
    func untilEnd() throws {
        let text = "HTTP/1.1 200 OK\r\n\r\nhi"
        #expect(try Self.read(text, atEnd: false).answers.isEmpty)
        #expect(try Self.read(text).answers.first?.text == "hi")
    }

    @Test("the bytes of an unfinished response are left over")
    func unfinished() throws {
        let (answers, leftover) = try Self.read("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhi")
        #expect(answers.isEmpty)
        #expect(leftover > 0)
    }

    @Test(
        "an invalid response is a fault",
        arguments: [
            "HTTP/1.1 204 No Content\r\n\r\nextra",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhiextra",
            "HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\nhi",
            "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 100 Continue\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi",
            "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nhi",
            "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nhi",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
            "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
            "HTTP/1.1 200 OK\r\nX : y\r\n\r\n",
            "HTTP/1.1 200 OK\r\nX: y\r\n z\r\n\r\n",
            "HTTP/1.1 200 OK\r\nX: y\0\r\n\r\n",
            "HTTP/1.1 200\r\n\r\n",
            "HTTP/1.1 20 OK\r\n\r\n",
            "HTTP/1.0 200 OK\r\n\r\n",
            "<html>",
            "\r\nHTTP/1.1 200 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxx\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhixx0\r\n\r\n",
        ]
    )
    func faults(_ text: String) {
        #expect(throws: ResponseReader.FramingFault.self) { try Self.read(text) }
    }

    @Test("dates are parsed in one format and written in three")
    func dates() throws {
        let date = try #require(HTTPDate(imf: "Sun, 06 Nov 1994 08:49:37 GMT"))
        #expect(date.seconds == 784_111_777)
        #expect(date.rfc850 == "Sunday, 06-Nov-94 08:49:37 GMT")
        #expect(date.asctime == "Sun Nov  6 08:49:37 1994")
        #expect(HTTPDate(imf: "Mon, 06 Nov 1994 08:49:37 GMT") == nil)
        #expect(HTTPDate(imf: "Sun, 6 Nov 1994 08:49:37 GMT") == nil)
        #expect(HTTPDate(imf: date.rfc850) == nil)
    }

    @Test("the table's names are distinct sentences, each with its rule")
    func tables() {
        let tables = [
            Conformance.RequestLineTests.cases, Conformance.MethodTests.cases,
            Conformance.TargetTests.cases, Conformance.HostTests.cases,
            Conformance.FieldSyntaxTests.cases, Conformance.ContentLengthTests.cases,
            Conformance.TransferEncodingTests.cases, Conformance.ChunkedTests.cases,
            Conformance.SmugglingTests.cases, Conformance.PipeliningTests.cases,
            Conformance.ConnectionTests.cases, Conformance.ExpectTests.cases,
            Conformance.LimitTests.cases, Conformance.ConditionalTests.cases,
            Conformance.RangeTests.cases, Conformance.ResponseTests.cases,
        ]
        for table in tables {
            let names = Dictionary(grouping: table, by: \.name).filter { $0.value.count > 1 }
            #expect(names.isEmpty)
            #expect(table.allSatisfy { $0.rule.hasPrefix("RFC ") })
        }
        #expect(tables.joined().count > 1000)
    }
}
