import JSONCodec
import HTTPServer
import HTTPSyntax
import Testing

@testable import Plugboard

@Suite("The limits of endless streams")
struct StreamLimiterTests {
    @Test("streams are limited per caller and in total, and an ended stream frees its place")
    func limits() throws {
        let limiter = StreamLimiter(limit: 3, perCaller: 2)
        func open(_ caller: String?) throws -> StreamLimiter.Place {
            try limiter.open(for: caller.map { .caller(ExactName(text: $0)) })
        }
        var places = [try open("ada"), try open("ada")]
        let own = #expect(throws: StreamLimiter.Exceeded.self) { try open("ada") }
        #expect(own?.response.status == 429)
        places.append(try open(nil))
        let all = #expect(throws: StreamLimiter.Exceeded.self) { try open("bob") }
        #expect(all?.response.status == 503)
        #expect(all?.response.fields.contains("retry-after") == true)
        places.removeFirst()
        #expect(limiter.count == 2)
        places.append(try open("ada"))
        places = []
        #expect(limiter.count == 0)
    }

    @Test("a stream holds its place until it is released; other responses free it at once")
    func holds() async throws {
        let limiter = StreamLimiter(limit: 1, perCaller: 1)
        var response: Response? = nil
        do {
            let place = try limiter.open(for: nil)
            let stream = ResponseStream(heartbeat: []) { nil }
            let body = Response(status: 200, body: .stream(stream))
            guard case .now(let held) = place.hold(.now(body)) else { return }
            response = held
        }
        #expect(limiter.count == 1)
        #expect(response != nil)
        response = nil
        #expect(limiter.count == 0)
        do {
            let place = try limiter.open(for: nil)
            guard case .now(let held) = place.hold(.now(Response(status: 200))) else { return }
            response = held
        }
        #expect(limiter.count == 0)
        #expect(response?.status == 200)
    }
}
