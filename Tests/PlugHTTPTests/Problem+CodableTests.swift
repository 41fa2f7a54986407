import HTTPTypes
import JSONCodec
import PlugHTTP
import Testing

@Suite("The JSON of problems (RFC 9457 §3)")
struct ProblemCodableTests {
    private func json(_ problem: Problem) throws -> String {
        String(decoding: try JSON.encode(problem), as: UTF8.self)
    }

    private func problem(_ text: String) throws -> Problem {
        try JSON.decode(Problem.self, from: Array(text.utf8))
    }

    @Test("a problem has the members of RFC 9457, without absent ones")
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

    @Test("an upstream's own members are preserved, whatever their types")
    func extensions() throws {
        let text =
            #"{"errors":"many","nested":{"a":[1,null]},"status":422,"#
            + #""title":"T","type":"about:blank"}"#
        let problem = try problem(text)
        #expect(problem.errors == nil)
        #expect(problem.members["nested"] == ["a": [1, nil]])
        #expect(try json(problem) == text)
    }

    @Test("a member of the wrong type is ignored")
    func mistyped() throws {
        let problem = try problem(#"{"status":"x","title":1,"detail":[],"type":null}"#)
        #expect(problem == Problem(status: .internalServerError))
    }

    @Test("an extension can't override a member of RFC 9457")
    func shadowing() throws {
        let text = try json(Problem(status: .gone, members: ["status": 200, "title": "Fine"]))
        #expect(text == #"{"status":410,"title":"Gone","type":"about:blank"}"#)
    }

    @Test("an invalid status number becomes 500", arguments: ["-1", "1000", "1e30", "404.5"])
    func wildStatus(text: String) throws {
        #expect(try problem("{\"status\":\(text)}").status == .internalServerError)
    }
}
