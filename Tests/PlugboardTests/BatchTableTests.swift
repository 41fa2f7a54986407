import HTTPServer
import HTTPSyntax
import Testing

@testable import Plugboard

@Suite("The fields of a batch's results")
struct BatchTableTests {
    @Test("several lines of a field are one value with commas (RFC 9110 §5.3)")
    func lines() {
        let response = Response(
            status: 204,
            fields: ResponseFields([
                ("Content-Type", "application/json"), ("Link", "<a>"), ("Link", "<b>"),
            ]),
            body: .none
        )
        #expect(BatchTable.answer(response).fields == ["Link": "<a>, <b>"])
    }

    @Test("a result has no cookie: a script could read it (RFC 6265 §4.1.2.6)")
    func cookies() {
        let response = Response(
            status: 200,
            fields: ResponseFields([
                ("Content-Type", "application/json"), ("Set-Cookie", "session=1; HttpOnly"),
                ("X-Total-Count", "7"),
            ]),
            body: .bytes(Array("8".utf8))
        )
        #expect(BatchTable.answer(response).fields == ["X-Total-Count": "7"])
        #expect(BatchTable.outputBytes(of: response) == "X-Total-Count".utf8.count + 2)
    }
}
