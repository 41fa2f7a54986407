import HTTPSyntax
import Testing

@Suite("Response fields (RFC 9110 §5)")
struct ResponseFieldsTests {
    private func list(_ fields: ResponseFields) -> [String] {
        var list: [String] = []
        fields.forEach { list.append("\($0.text)=\($1.text)") }
        return list
    }

    private func text(_ fields: ResponseFields) -> String {
        fields.withLines { $0.text }
    }

    @Test("lines have HTTP/1.1's format, in the given order")
    func lines() {
        let fields: ResponseFields = ["ETag": "\"a\"", "Vary": "Accept", "X-Empty": ""]
        #expect(text(fields) == "ETag: \"a\"\r\nVary: Accept\r\nX-Empty: \r\n")
        #expect(list(fields) == ["ETag=\"a\"", "Vary=Accept", "X-Empty="])
        #expect(fields.byteCount == text(fields).utf8.count)
    }

    @Test("empty fields have no lines")
    func empty() {
        #expect(ResponseFields().isEmpty)
        #expect(text([:]).isEmpty)
        #expect(list([:]).isEmpty)
        #expect(text([:] + [:]).isEmpty)
        #expect(text(["A": "1"] + [:]) == text([:] + ["A": "1"]))
    }

    @Test("a line end in a value can't begin another field (response splitting)")
    func splitting() {
        let fields: ResponseFields = ["Location": "/a\r\nSet-Cookie: b=c\r\n\r\n<html>\u{0}"]
        #expect(list(fields) == ["Location=/aSet-Cookie: b=c<html>"])
        #expect(text(fields).split(separator: "\r\n").count == 1)
    }

    @Test("a value may have colons, white space and more than 255 bytes")
    func values() {
        let long = String(repeating: "x", count: 70_000)
        let name = String(repeating: "n", count: 300)
        let fields = ResponseFields([("A", "b: c:"), (name, long), ("B", " d ")])
        #expect(list(fields) == ["A=b: c:", "\(name)=\(long)", "B= d "])
    }

    @Test("joined fields retain their order and duplicate names")
    func joining() {
        var fields: ResponseFields = ["Vary": "Accept"]
        fields += ["Link": "<a>", "Vary": "Origin"]
        fields += ["Age": "1"]
        #expect(list(fields) == ["Vary=Accept", "Link=<a>", "Vary=Origin", "Age=1"])
        #expect(fields == ["Vary": "Accept", "Link": "<a>"] + ["Vary": "Origin", "Age": "1"])
        #expect(fields != ["Vary": "Accept"])
    }

    @Test("a name is found and removed in any case")
    func names() {
        let fields: ResponseFields = [
            "CONTENT-Type": "text/html", "ETag": "\"a\"", "etag": "\"b\"",
        ]
        #expect(fields.contains("content-type"))
        #expect(fields.contains("etag") { $0.equals("\"b\"") })
        #expect(!fields.contains("etag") { $0.equals("\"c\"") })
        #expect(!fields.contains("content-typ"))
        #expect(list(fields.without("etag")) == ["CONTENT-Type=text/html"])
        #expect(fields.without("vary") == fields)
    }

    @Test("fields are restored from their stored lines")
    func stored() {
        let fields: ResponseFields = ["Location": "/a: b", "X-Empty": "", "ETag": "\"a\""]
        #expect(ResponseFields(lines: fields.lines) == fields)
        #expect(ResponseFields(lines: []) == ResponseFields())
        #expect(list(ResponseFields(lines: Array("no line end".utf8))).isEmpty)
        #expect(list(ResponseFields(lines: Array("A: 1\r\nno colon\r\n".utf8))) == ["A=1"])
    }

    @Test("a copy is identical, equal fields from the same lines aren't")
    func identity() {
        let fields: ResponseFields = ["A": "1"]
        let copy = fields
        #expect(fields.isIdentical(to: copy))
        let other = ResponseFields(lines: fields.lines)
        #expect(other == fields)
        #expect(!fields.isIdentical(to: other))
    }
}
