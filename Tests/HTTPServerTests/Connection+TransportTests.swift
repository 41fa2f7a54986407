import Glibc
import HTTPSyntax
import Testing

@testable import HTTPServer

@Suite("The socket calls of a connection")
struct ConnectionTransportTests {
    private func transmit(_ connection: Connection, _ bytes: [UInt8]) -> Int {
        bytes.withUnsafeBufferPointer { buffer in
            connection.transmit(ByteSpan(start: buffer.baseAddress, count: buffer.count))
        }
    }

    /// A call's result with its error number.
    private func outcome(_ call: () -> Int) -> (Int, CInt) {
        let result = call()
        return (result, errno)
    }

    @Test("a read returns the bytes, EAGAIN without any, and 0 at the client's end")
    func receive() throws {
        try withConnection { connection, sockets in
            #expect(outcome { connection.receive() } == (-1, EAGAIN))
            sockets.send("hello")
            #expect(connection.receive() == 5)
            #expect(ByteSpan(start: connection.loop.readBuffer, count: 5).equals("hello"))
            #expect(connection.loop.counters.received.value == 5)
            shutdown(sockets.client, CInt(SHUT_WR))
            #expect(connection.receive() == 0)
        }
    }

    @Test("only a read that fills its buffer may leave bytes (epoll(7), EPOLLET)")
    func unread() throws {
        try withConnection { connection, sockets in
            sockets.send("a")
            _ = connection.receive()
            #expect(!connection.hasUnread)
            for _ in 0..<2 { sockets.send(String(repeating: "b", count: LoopResources.readSize)) }
            #expect(connection.receive() == LoopResources.readSize)
            #expect(connection.hasUnread)
        }
    }

    @Test("a full socket accepts a part, and then returns EAGAIN")
    func full() throws {
        try withConnection { connection, _ in
            let bytes = [UInt8](repeating: 1, count: 65_536)
            while transmit(connection, bytes) > 0 {}
            #expect(outcome { transmit(connection, bytes) } == (-1, EAGAIN))
            #expect(connection.sent == connection.loop.counters.sent.value)
            #expect(connection.sent > 0)
        }
    }

    @Test("a write to a disconnected client is an error without a signal")
    func disconnected() throws {
        try withConnection { connection, sockets in
            shutdown(sockets.client, CInt(SHUT_RDWR))
            #expect(outcome { transmit(connection, [1]) } == (-1, EPIPE))
        }
    }

    @Test("a file is sent from its offset; 0 shows that it has become shorter")
    func file() async throws {
        try await withFile(Array("0123456789".utf8)) { stage, _ in
            let body = FileBody(descriptor: try #require(stage.file), range: 4..<20)
            try withConnection { connection, sockets in
                let start = FileTransfer(body: body, offset: 4, remaining: 16)
                #expect(connection.transmit(start, count: 16) == 6)
                #expect(sockets.received() == "456789")
                let rest = FileTransfer(body: body, offset: 10, remaining: 10)
                #expect(connection.transmit(rest, count: 10) == 0)
            }
        }
    }

    @Test("closing the server's side leaves the client's side open (RFC 9112 §9.6)")
    func end() throws {
        try withConnection { connection, sockets in
            _ = transmit(connection, Array("last".utf8))
            #expect(connection.endTransmission())
            #expect(sockets.received() == "last")
            #expect(sockets.received() == nil)
            sockets.send("more")
            #expect(connection.receiveUnwanted() == 4)
        }
    }
}
