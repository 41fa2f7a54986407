import Eventually
import Glibc
import Plug
import PlugHTTP
import Testing

@testable import Plugboard

@Suite("Budgets on the metrics page")
struct ServerMetricsConnectionsTests {
    private func used(_ site: Site, _ labels: String) async throws -> Double? {
        try await site.metric("http_server_budget_used_bytes{\(labels)}")
    }

    @Test("a body in progress uses the budget of its loop until it is complete")
    func bodies() async throws {
        Store.self <~ { input in input.text.utf8.count }
        var server = Server { Store.self }
        server.configuration.bodyBudget = 5_000_000
        try await serving(operated(server)) { site in
            let labels = #"budget="bodies",loop="0""#
            let limit = try await site.metric("http_server_budget_limit_bytes{\(labels)}")
            #expect(limit == 5_000_000)
            #expect(try await used(site, labels) == 0)
            let body = #"{"text":""# + String(repeating: "x", count: 30_000) + #""}"#
            let head = """
                POST /store HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
                Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n
                """
            let client = try HalfSent(head + body.dropLast(10), port: site.port)
            try await eventually("the part of the body is counted") {
                try await used(site, labels) == Double(body.utf8.count - 10)
            }
            client.send(String(body.suffix(10)))
            try await eventually("the complete body isn't counted any more") {
                try await used(site, labels) == 0
            }
        }
    }

    @Test("each budget, the connections and the endless streams have a limit")
    func limits() async throws {
        var server = Server()
        server.configuration.connections = 77
        server.configuration.endlessStreams = 5
        try await serving(operated(server)) { site in
            for budget in [
                #"budget="bodies",loop="0""#, #"budget="responses",loop="0""#,
                #"budget="streamed_bodies""#, #"budget="decoding""#,
            ] {
                let limit = try await site.metric("http_server_budget_limit_bytes{\(budget)}")
                #expect(limit.map { $0 > 0 } == true, "\(budget)")
                #expect(try await used(site, budget).map { $0 >= 0 } == true, "\(budget)")
            }
            #expect(try await site.metric("http_server_max_connections") == 77)
            #expect(try await site.metric("http_server_max_endless_streams") == 5)
            #expect(try await site.metric("http_server_endless_streams") == 0)
        }
    }
}

/// A client that has sent a part of its request.
private final class HalfSent {
    private let socket: CInt

    init(_ text: String, port: UInt16) throws {
        socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw HarnessError("can't connect") }
        send(text)
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(socket, bytes, bytes.count, 0)
    }

    deinit { close(socket) }
}

private class Store: Action<Store.Input, Int>, POST {
    struct Input: Codable, Sendable { var text: String }
    static var path: String { "/store" }
}
