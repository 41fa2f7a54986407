#if canImport(Glibc)
import Glibc
import Testing

@testable import HTTPTransport

/// A server's listening socket; the test accepts its connections itself.
private final class Listener {
    private let descriptor: Int32
    let port: UInt16

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (descriptor, count) = (descriptor, size)
        let status = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, count) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        try #require(status)
    }

    deinit { close(descriptor) }

    func accept() throws -> Peer {
        let peer = Glibc.accept(descriptor, nil, nil)
        try #require(peer >= 0)
        return Peer(descriptor: peer)
    }
}

/// The server's end of a connection.
private final class Peer {
    private let descriptor: Int32
    private var isOpen = true

    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { end() }

    func end() {
        if isOpen { close(descriptor) }
        isOpen = false
    }

    /// Ends the connection with a reset instead of a regular close.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<linger>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, size)
        end()
    }

    func write(_ text: String) { _ = send(descriptor, text, text.utf8.count, 0) }

    /// Reads one byte; nil at the end of the connection.
    func read() -> UInt8? {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, 0) == 1 ? byte : nil
    }
}

@Suite("A connection to a server", .timeLimit(.minutes(1)))
struct SocketConnectionTests {
    private static let later = ContinuousClock.now + .seconds(50)

    private func connect(
        _ port: UInt16,
        of host: String = "127.0.0.1",
        until deadline: ContinuousClock.Instant = later,
        isWanted: (SocketConnection) -> Bool = { _ in true }
    ) throws -> SocketConnection {
        let authority = try #require(HostAndPort("\(host):\(port)", defaultPort: 80))
        return try SocketConnection.connect(
            to: HostAddresses(authority.resolve()),
            of: authority,
            trusting: nil,
            until: deadline,
            isWanted: isWanted
        )
    }

    private func pair() throws -> (connection: SocketConnection, peer: Peer) {
        let listener = try Listener()
        return (try connect(listener.port), try listener.accept())
    }

    private func read(
        _ connection: SocketConnection,
        until deadline: ContinuousClock.Instant = later
    ) throws -> SocketConnection.ReadResult {
        try withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { room in
            try connection.read(into: room, until: deadline)
        }
    }

    @Test("a read returns bytes, nothing or the end")
    func reads() throws {
        let (connection, peer) = try pair()
        #expect(try read(connection) == .nothing)
        peer.write("abc")
        try connection.wait(toReadUntil: Self.later)
        #expect(try read(connection) == .bytes(3))
        #expect(try read(connection) == .nothing)
        peer.end()
        try connection.wait(toReadUntil: Self.later)
        #expect(try read(connection) == .end)
        #expect(!connection.isQuiet)
    }

    @Test("a reset breaks the connection")
    func reset() throws {
        let (connection, peer) = try pair()
        peer.reset()
        try connection.wait(toReadUntil: Self.later)
        #expect(try read(connection) == .broken)
        #expect(connection.write([1]) == nil)
    }

    @Test("a connection can be reused only if it is open and no byte has arrived")
    func quiet() throws {
        let (connection, peer) = try pair()
        #expect(connection.isQuiet)
        peer.write("x")
        try connection.wait(toReadUntil: Self.later)
        #expect(!connection.isQuiet)
    }

    @Test("a write accepts as many bytes as the socket has room for")
    func writes() throws {
        let (connection, peer) = try pair()
        #expect(connection.write([7, 8]) == 2)
        #expect(peer.read() == 7)
        let bytes = [UInt8](repeating: 0, count: 1 << 20)
        var written = 0
        while let count = connection.write(bytes[...]), count > 0 { written += count }
        #expect(written > 0)
        #expect(connection.write([1]) == 0)
        peer.write("x")
        let (isReadable, isWritable) = try connection.wait(toWriteUntil: Self.later)
        #expect(isReadable && !isWritable)
    }

    @Test("after the deadline waits and reads fail even if bytes are available")
    func deadlines() throws {
        let (connection, peer) = try pair()
        peer.write("x")
        try connection.wait(toReadUntil: Self.later)
        let error = #expect(throws: ClientError.self) { try read(connection, until: .now) }
        #expect(error?.kind == .timedOut)
        let waiting = #expect(throws: ClientError.self) { try connection.wait(toReadUntil: .now) }
        #expect(waiting?.kind == .timedOut)
        #expect(try read(connection) == .bytes(1))
    }

    @Test("a shutdown ends a wait, and releasing the last reference closes the connection")
    func ends() throws {
        var (connection, peer): (SocketConnection?, Peer) = try pair()
        connection?.shutDown()
        try connection?.wait(toReadUntil: Self.later)
        #expect(try connection.map { try read($0) } == .end)
        #expect(peer.read() == nil)
        (connection, peer) = try pair()
        connection = nil
        #expect(peer.read() == nil)
    }

    @Test("if an address rejects the connection, the host's next address is tried")
    func addresses() throws {
        // `localhost` may be ::1 first, where nobody listens.
        let listener = try Listener()
        let connection = try connect(listener.port, of: "localhost")
        #expect(connection.write([1]) == 1)
        #expect(try listener.accept().read() == 1)
    }

    @Test("the error of a failed attempt has its kind and names the server")
    func failures() throws {
        var listener: Listener? = try Listener()
        let port = try #require(listener?.port)
        let late = #expect(throws: ClientError.self) {
            while true { _ = try connect(port, until: .now - .seconds(1)) }
        }
        #expect(late?.kind == .timedOut)
        listener = nil
        let refused = #expect(throws: ClientError.self) { _ = try connect(port) }
        #expect(refused?.kind == .unreachable)
        #expect(refused?.message.contains("127.0.0.1:\(port)") == true)
        let unknown = #expect(throws: ClientError.self) {
            _ = try connect(80, of: "nobody.invalid")
        }
        #expect(unknown?.kind == .unreachable)
        #expect(unknown?.message.contains("nobody.invalid cannot be resolved") == true)
    }

    @Test("a cancelled attempt ends before each of its steps", arguments: [0, 1])
    func cancelled(steps: Int) throws {
        let listener = try Listener()
        var left = steps
        #expect(throws: CancellationError.self) {
            _ = try connect(listener.port) { _ in
                left -= 1
                return left >= 0
            }
        }
    }
}
#endif
