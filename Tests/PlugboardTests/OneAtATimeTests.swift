import HTTPTypes
import PlugHTTP
import Testing

@testable import Plugboard

@Suite("What one may do at a time")
struct OneAtATimeTests {
    private struct Failure: Error {}

    @Test("is refused to others until it is done, however it ends")
    func refuses() async throws {
        let turn = OneAtATime()
        let value = try await turn.perform(
            {
                let problem = await #expect(throws: Problem.self) {
                    try await turn.perform({ Issue.record("two at a time") }, refusal: "not now")
                }
                #expect(problem?.status == .conflict)
                #expect(problem?.detail == "not now")
                return 7
            },
            refusal: "never"
        )
        #expect(value == 7)
        await #expect(throws: Failure.self) {
            try await turn.perform({ throw Failure() }, refusal: "never")
        }
        let next = try await turn.perform({ 8 }, refusal: "never")
        #expect(next == 8)
    }
}
