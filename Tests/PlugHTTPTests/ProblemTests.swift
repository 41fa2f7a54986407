import HTTPTypes
import JSONCodec
import PlugHTTP
import Testing

@Suite("Problem")
struct ProblemTests {
    private func problem(_ text: String) throws -> Problem {
        try JSON.decode(Problem.self, from: Array(text.utf8))
    }

    @Test(
        "a status that isn't an error becomes 500",
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
}
