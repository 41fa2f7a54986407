import Glibc
import Testing

@testable import HTTPServer

@Suite("Files as response bodies", .blockingClients, .timeLimit(.minutes(5)))
struct ConnectionSendingTests {
    private static let bytes = (0..<3_000_000).map {
        UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8)
    }

    @Test(
        "small and large files are sent completely",
        arguments: [0, 1, 1000, 65_536, 65_537, 3_000_000]
    )
    func whole(size: Int) async throws {
        try await withFile(Array(Self.bytes.prefix(size))) { stage, _ in
            try await withServer(stage: stage) { server in
                let client = try server.client()
                try client.send(get("/file") + get("/file") + get("/next"))
                for _ in 0..<2 {
                    #expect(try client.answer().body.elementsEqual(Self.bytes.prefix(size)))
                }
                #expect(try client.answer().text == "/next")
            }
        }
    }

    @Test("a slow client gets a large file completely")
    func slow() async throws {
        try await withFile(Self.bytes) { stage, _ in
            try await withServer(stage: stage) { server in
                let client = try server.client(receiveBuffer: 4096)
                try client.send(get("/file"))
                try server.turn()
                #expect(try client.answer().body == Self.bytes)
            }
        }
    }

    @Test(
        "a range of a file has its bytes",
        arguments: [0..<1, 0..<100_000, 1..<2, 999_999..<1_065_536, 10..<2_999_999]
    )
    func ranges(range: Range<Int>) async throws {
        try await withFile(Self.bytes) { stage, _ in
            try await withServer(stage: stage) { server in
                let client = try server.client()
                try client.send(get("/file/\(range.lowerBound)-\(range.upperBound)"))
                #expect(try client.answer().body.elementsEqual(Self.bytes[range]))
            }
        }
    }

    @Test(
        "a file shorter than announced closes the connection, so that the client sees the error",
        arguments: [1000, 200_000]
    )
    func short(size: Int) async throws {
        try await withFile(Array(Self.bytes.prefix(size))) { stage, _ in
            try await withServer(stage: stage) { server in
                let client = try server.client()
                try client.send(get("/file/0-\(size * 2)") + get("/next"))
                #expect(try client.readToEnd() == .closed)
                #expect(client.received.suffix(size).elementsEqual(Self.bytes.prefix(size)))
            }
        }
    }

    @Test("a file that shrinks during sending closes the connection")
    func shrinks() async throws {
        let size = 40_000_000
        try await withFile([]) { stage, path in
            truncate(path, size)
            try await withServer(stage: stage) { server in
                let client = try server.client(receiveBuffer: 4096)
                try client.send(get("/file"))
                try client.read(atLeast: 1)
                truncate(path, 10)
                _ = try client.readToEnd()
                #expect(client.received.count < size)
                try server.turn()
            }
        }
    }

    @Test("other clients are served while a large file is sent")
    func fair() async throws {
        try await withFile(Self.bytes) { stage, _ in
            try await withServer(stage: stage) { server in
                let client = try server.client(receiveBuffer: 4096)
                try client.send(get("/file"))
                try client.read(atLeast: 1)
                try server.turn()
                #expect(try client.answer().body == Self.bytes)
            }
        }
    }
}
