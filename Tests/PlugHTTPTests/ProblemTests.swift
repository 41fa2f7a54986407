import HTTPTypes
import JSONCodec
import Plug
import PlugHTTP
import Testing

@Suite("Problem")
struct ProblemTests {
    private func json(_ problem: Problem) throws -> String {
        String(decoding: try JSON.encode(problem), as: UTF8.self)
    }

    private func problem(_ text: String) throws -> Problem {
        try JSON.decode(Problem.self, from: Array(text.utf8))
    }

    @Test("a problem is what RFC 9457 says, absent members left out")
    func encode() throws {
        #expect(
            try json(.notFound("There is no photo 42."))
                == #"{"detail":"There is no photo 42.","status":404,"title":"Not Found","#
                + #""type":"about:blank"}"#
        )
        #expect(Problem.mediaType == "application/problem+json")
    }

    @Test("all members survive encoding and decoding, extensions included")
    func roundTrip() throws {
        let problem = Problem(
            status: .conflict,
            type: "https://example.org/taken",
            title: "Taken",
            detail: "The name is taken.",
            instance: "/users/7",
            errors: [.init(pointer: "/name", detail: "taken")],
            members: ["balance": 30, "accounts": ["/a", "/b"]]
        )
        #expect(try self.problem(json(problem)) == problem)
        #expect(try JSON.encode(problem) == JSON.encode(self.problem(json(problem))))
    }

    @Test("an upstream's own members are kept, whatever they are")
    func extensions() throws {
        let text =
            #"{"errors":"many","nested":{"a":[1,null]},"status":422,"#
            + #""title":"T","type":"about:blank"}"#
        let problem = try problem(text)
        #expect(problem.errors == nil)
        #expect(problem.members["nested"] == ["a": [1, nil]])
        #expect(try json(problem) == text)
    }

    @Test("a member of another type is ignored")
    func mistyped() throws {
        let problem = try problem(#"{"status":"x","title":1,"detail":[],"type":null}"#)
        #expect(problem == Problem(status: .internalServerError))
    }

    @Test("an extension cannot pass for a member of the RFC")
    func shadowing() throws {
        let text = try json(Problem(status: .gone, members: ["status": 200, "title": "Fine"]))
        #expect(text == #"{"status":410,"title":"Gone","type":"about:blank"}"#)
    }

    @Test(
        "a status that is no error's cannot exist",
        arguments: [0, 100, 200, 204, 302, 399, 600, 999]
    )
    func clamped(code: Int) throws {
        let status = HTTPResponse.Status(code: code)
        #expect(Problem(status: status).status == .internalServerError)
        var problem = Problem.notFound()
        problem.status = status
        #expect(problem.status == .internalServerError)
        #expect(try self.problem("{\"status\":\(code)}").status == .internalServerError)
    }

    @Test("a status beyond all numbers is a 500", arguments: ["-1", "1000", "1e30", "404.5"])
    func wildStatus(text: String) throws {
        #expect(try problem("{\"status\":\(text)}").status == .internalServerError)
    }

    @Test("the title is the reason phrase of the status")
    func titles() throws {
        #expect(Problem.unprocessableContent().title == "Unprocessable Content")
        #expect(try problem(#"{"status":429}"#).title == "Too Many Requests")
        #expect(Problem(status: 418).title == "Client Error")
        #expect(Problem(status: 599).title == "Server Error")
        #expect(Problem.conflict("why").description == "409 Conflict: why")
    }

    @Test("the helpers have the statuses they are named for")
    func helpers() {
        let codes = [
            Problem.badRequest(), .unauthorized(), .forbidden(), .notFound(), .methodNotAllowed(),
            .conflict(), .gone(), .preconditionFailed(), .contentTooLarge(),
            .unsupportedMediaType(), .unprocessableContent(), .tooManyRequests(),
            .internalServerError(), .badGateway(), .serviceUnavailable(), .gatewayTimeout(),
        ].map(\.status.code)
        #expect(
            codes == [
                400, 401, 403, 404, 405, 409, 410, 412, 413, 415, 422, 429, 500, 502, 503, 504,
            ]
        )
    }
}

@Suite("Problem for an error")
struct ProblemForErrorTests {
    struct Secret: Error { var password = "hunter2" }
    struct Expected: ProblemConvertible { var problem: Problem { .conflict("expected") } }
    struct User: Codable { var user: String }

    @Test("a problem is itself, and an error that knows its problem is that")
    func known() {
        #expect(Problem(for: Problem.gone("x")) == .gone("x"))
        #expect(Problem(for: Expected()) == .conflict("expected"))
    }

    @Test("a missing plug is a 503 that names the action")
    func notPlugged() {
        #expect(
            Problem(for: NotPlugged(action: "LikePhoto"))
                == .serviceUnavailable("LikePhoto has no plug")
        )
        #expect(Problem(for: NotImplemented(action: "Half")).status == .notImplemented)
    }

    @Test("text that is no JSON is a 400 with line and column")
    func noJSON() throws {
        let error = #expect(throws: JSONError.self) {
            try JSON.decode(User.self, from: Array("{\"user\":\n  oops}".utf8))
        }
        let problem = Problem(for: try #require(error))
        #expect(problem.status == .badRequest)
        #expect(problem.detail?.contains("line 2, column 3") == true)
        #expect(problem.errors == [.init(pointer: "/user", detail: "expected a value")])
    }

    @Test("a value of the wrong type is a 422 that points to it")
    func wrongType() throws {
        let error = #expect(throws: JSONTypeError.self) {
            try JSON.decode(User.self, from: Array(#"{"user":1}"#.utf8))
        }
        let problem = Problem(for: try #require(error))
        #expect(problem.status == .unprocessableContent)
        #expect(problem.detail == "/user: expected a string")
        #expect(problem.errors == [.init(pointer: "/user", detail: "expected a string")])
    }

    @Test("any other error says nothing but 500")
    func secret() throws {
        let problem = Problem(for: Secret())
        #expect(problem == .internalServerError())
        #expect(!String(decoding: try JSON.encode(problem), as: UTF8.self).contains("hunter2"))
    }

    @Test("cancellation is a 503")
    func cancelled() {
        #expect(Problem(for: CancellationError()) == .serviceUnavailable())
    }

    @Test("JSON which an implementation failed to read is not the caller's fault")
    func performing() {
        let error = JSONError(message: "x", line: 1, column: 1, offset: 0)
        #expect(Problem(performing: error) == .internalServerError())
        let type = JSONTypeError(pointer: "/a", message: "x")
        #expect(Problem(performing: type) == .internalServerError())
    }
}
