import HTTPTypes
import JSONCodec
import Plug
import PlugHTTP
import Testing

@Suite("Problems for errors")
struct ProblemErrorsTests {
    struct Secret: Error { var password = "hunter2" }
    struct Expected: ProblemConvertible { var problem: Problem { .conflict("expected") } }
    struct User: Codable { var user: String }

    @Test("a Problem stays unchanged, and a ProblemConvertible is converted")
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

    @Test("invalid JSON is a 400 with line and column")
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

    @Test("any other error is a 500 without details")
    func secret() throws {
        let problem = Problem(for: Secret())
        #expect(problem == .internalServerError())
        #expect(!String(decoding: try JSON.encode(problem), as: UTF8.self).contains("hunter2"))
    }

    @Test("cancellation is a 503")
    func cancelled() {
        #expect(Problem(for: CancellationError()) == .serviceUnavailable())
    }

    @Test("a JSON error within an implementation is a 500, not the caller's fault")
    func performing() {
        let error = JSONError(message: "x", line: 1, column: 1, offset: 0)
        #expect(Problem(performing: error) == .internalServerError())
        let type = JSONTypeError(pointer: "/a", message: "x")
        #expect(Problem(performing: type) == .internalServerError())
    }

    @Test("an invalid plan is a 422 with pointers")
    func problems() throws {
        class Careful: Action<Int, Int> {}
        Careful.self <~ { $0 }
        let error = #expect(throws: InvalidPlan.self) {
            try PlugCell.liveBook(of: Careful.self).setLive(.split(["closure": 90, "two": 10]))
        }
        #expect(error?.problem.status == .unprocessableContent)
        #expect(error?.problem.errors?.map(\.pointer) == ["/split/two"])
    }

    @Test("a 4xx that any server would return is the caller's fault")
    func blame() {
        #expect(Problem.notFound().isCallerFault)
        #expect(Problem.unprocessableContent().isCallerFault)
        #expect(!Problem.tooManyRequests().isCallerFault)
        #expect(!Problem.serviceUnavailable().isCallerFault)
    }
}
