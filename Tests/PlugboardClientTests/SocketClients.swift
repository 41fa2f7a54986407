#if canImport(Glibc) || canImport(Musl)
import PlugboardClient

/// A server's response to a `Ping`.
let pong = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n\"pong\""

/// A client of a server, over sockets.
func client(
    _ server: TestServer,
    _ change: (inout SocketTransport.Limits) -> Void = { _ in }
) -> Client {
    var limits = SocketTransport.Limits()
    change(&limits)
    return Client(server.url, transport: SocketTransport(limits: limits))
}

/// The connections that the first so many requests came over.
func connections(of server: TestServer, count: Int) async -> [Int] {
    var connections: [Int] = []
    for await event in server.events {
        guard case .request(let connection, _) = event else { continue }
        connections.append(connection)
        if connections.count == count { break }
    }
    return connections
}

/// A request's Request-Timeout, and the request without it.
func requestTimeout(in event: TestServer.Event?) -> (value: String?, rest: String) {
    guard case .request(_, let text)? = event else { return (nil, "") }
    let name = "Request-Timeout: "
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    return (
        lines.first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) },
        lines.filter { !$0.hasPrefix(name) }.joined(separator: "\r\n")
    )
}
#endif
