import HTTP2Frames
import Testing

@testable import HTTPServer

@Suite("Responses over HTTP/2 (RFC 9113 §5.2, §8.1)", .blockingClients, .timeLimit(.minutes(5)))
struct HTTP2ConnectionResponsesTests {
    @Test("a response larger than its window waits for updates and blocks no other (§5.2)")
    func answerWindow() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address, settings: [(4, 10)])
            client.opensWindows = false
            try client.get(1, "/bytes/25")
            try client.get(3, "/abc")
            #expect(try client.answer(3).text == "/abc")
            #expect(client.part(1).body.count == 10)
            try client.send(.window(1, 10))
            while client.part(1).body.count < 20 { _ = try client.readFrame() }
            try client.send(.settings([(4, 15)]))
            #expect(try client.answer(1).body.count == 25)
        }
    }

    @Test("a large file is sent completely; one that shrinks is reset")
    func file() async throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        try await withFile(bytes) { stage, path in
            try await withServer(.any, stage: stage) { server in
                let client = try HTTP2Client(server.address, settings: [(4, 1_000_000)])
                try client.get(1, "/file")
                try client.get(3, "/file/1000-1500")
                #expect(try client.answer(3).body == Array(bytes[1000..<1500]))
                #expect(try client.answer(1).body == bytes)
                try client.get(5, "/file/0-4000000")
                #expect(try client.answer(5).reset == 2)
            }
        }
    }

    @Test("a streamed body is sent as it is produced, and ends")
    func pieces() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            try client.get(1, "/step/a")
            try client.get(3, "/pieces/200/10000")
            server.stage.signal("a1").give()
            while client.part(1).text != "a1" { _ = try client.readFrame() }
            for step in 2...9 { server.stage.signal("a\(step)").give() }
            #expect(try client.answer(1).text == "a1a2a3a4a5a6a7a8")
            #expect(try client.answer(1).reset == nil)
            #expect(try client.answer(3).body.count == 2_000_000)
        }
    }

    @Test("a streamed body that fails is reset (§8.1.1)")
    func broken() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            try client.get(1, "/broken")
            #expect(try client.answer(1).reset == 2)
            try client.get(3, "/next")
            #expect(try client.answer(3).text == "/next")
        }
    }

    @Test(
        "a client without a window pauses the body's task, and cancels it by a reset"
    )
    func backPressure() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            client.opensWindows = false
            try client.get(1, "/pieces/1000/10000")
            await server.stage.signal("first made").wait()
            try client.turn()
            #expect(!server.stage.signal("all made").isGiven)
            try client.send(.window(1, 20_000_000), .window(0, 20_000_000))
            #expect(try client.answer(1).body.count == 10_000_000)
            try client.get(3, "/step/b")
            await server.stage.signal("b1 begun").wait()
            try client.send(.reset(3))
            await server.stage.signal("b cancelled").wait()
        }
    }
}
