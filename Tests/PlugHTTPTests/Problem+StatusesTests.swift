import HTTPTypes
import PlugHTTP
import Testing

@Suite("Statuses of problems")
struct ProblemStatusesTests {
    @Test("the title is the reason phrase of the status")
    func titles() {
        #expect(Problem.unprocessableContent().title == "Unprocessable Content")
        #expect(Problem.tooManyRequests().title == "Too Many Requests")
        #expect(Problem(status: 418).title == "Client Error")
        #expect(Problem(status: 599).title == "Server Error")
        #expect(Problem.conflict("why").description == "409 Conflict: why")
    }

    @Test("each helper has the status of its name")
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
