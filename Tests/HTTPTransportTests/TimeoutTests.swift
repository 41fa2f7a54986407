import HTTPTypes
import Testing

@testable import HTTPTransport

@Suite("Transport limits out of range")
struct TimeoutTests {
    static let times: [Duration] = [
        .seconds(Int64.max), .milliseconds(Int64.max), .seconds(Int64.min), .zero,
    ]

    #if canImport(Glibc) || canImport(Musl)
    @Test("a transport with extreme limits sends or throws a client error", arguments: times)
    func sending(_ time: Duration) async {
        var limits = SocketTransport.Limits()
        limits.timeout = time
        limits.connectTimeout = time
        limits.idleTimeout = time
        limits.maximumResponse = .min
        limits.maximumIdle = .min
        limits.maximumConcurrency = .min
        // Port 1 is reserved and not in use.
        let request = HTTPRequest(
            method: .get,
            scheme: "http",
            authority: "127.0.0.1:1",
            path: "/"
        )
        let transport = SocketTransport(limits: limits)
        let error = await #expect(throws: ClientError.self) {
            try await transport.send(request, body: [])
        }
        #expect(error?.kind == (time > .zero ? .unreachable : .timedOut))
    }

    @Test("an invalid limit is replaced by the nearest valid one")
    func clamped() {
        var limits = SocketTransport.Limits()
        limits.timeout = .seconds(-1)
        limits.connectTimeout = .seconds(Int64.max)
        limits.idleTimeout = .seconds(20)
        limits.maximumIdle = -1
        limits.maximumResponse = -1
        let clamped = limits.clamped
        #expect(clamped.timeout == .zero)
        #expect(clamped.connectTimeout == .seconds(31_536_000))
        #expect(clamped.idleTimeout == .seconds(20))
        #expect(clamped.maximumIdle == 0)
        #expect(clamped.maximumResponse == 0)
    }
    #endif
}
