import Glibc
import Testing

@testable import HTTPServer

@Suite("Files as response bodies", .blockingClients, .timeLimit(.minutes(5)))
struct ConnectionSendingTests {
    private static let bytes = (0..<3_000_000).map {
        UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8)
    }

    @Test(
        "files, small ones read and large ones sent by the kernel, are whole",
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

    @Test("a slow client gets a large file whole")
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
        "ranges of a file are what they say",
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
        "a file that is shorter than announced ends the connection: the answer is seen to be short",
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

    @Test("a file that shrinks while it is sent ends the connection")
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

    @Test("while a large file is sent others are served")
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
