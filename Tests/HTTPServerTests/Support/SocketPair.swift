import System
import Glibc
import HTTPSyntax

@testable import HTTPServer

/// Two connected sockets; neither blocks.
struct SocketPair {
    let server: CInt
    let client: CInt

    init() throws {
        var descriptors: [CInt] = [-1, -1]
        let type = CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &descriptors) == 0 else {
            throw SystemError("socketpair")
        }
        (server, client) = (descriptors[0], descriptors[1])
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(client, bytes, bytes.count, CInt(MSG_NOSIGNAL))
    }

    /// The bytes that have arrived at the client; nil after the server's end.
    func received() -> String? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(client, &bytes, bytes.count, 0)
        if count == 0 { return nil }
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}

/// A connection whose loop doesn't run, with the client's end of its socket.
///
/// The connection is closed after the test.
func withConnection(_ body: (Connection, SocketPair) throws -> Void) throws {
    let sockets = try SocketPair()
    defer { close(sockets.client) }
    let connection = try Connection(
        fd: sockets.server,
        address: nil,
        generation: 1,
        loop: testResources(),
        tls: nil
    )
    defer { connection.close() }
    try body(connection, sockets)
}

/// The resources of a loop that doesn't run.
func testResources(
    _ configure: (inout HTTPConfiguration) -> Void = { _ in }
) throws -> LoopResources {
    var configuration = HTTPConfiguration()
    configure(&configuration)
    let loop = try LoopResources(
        configuration: configuration,
        scheme: .http,
        untaken: UnreadBytes(budget: configuration.bodyBudget),
        responder: TestResponder(Stage()),
        logger: .silent
    )
    loop.tick()
    return loop
}
