import HTTP2Frames
import Testing

@testable import HTTPServer

@Suite("Timeouts of HTTP/2 streams", .blockingClients, .timeLimit(.minutes(5)))
struct HTTP2StreamTests {
    private func post(_ path: String) -> [(String, String)] { HTTP2Frame.request("POST", path) }

    @Test("a response without a window is reset after the timeout; the connection continues")
    func window() async throws {
        try await withServer(.any, { $0.writeTimeout = 1 }) { server in
            let client = try HTTP2Client(server.address, settings: [(4, 0)])
            for stream in 0..<100 { try client.get(UInt32(2 * stream + 1), "/bytes/1000") }
            for stream in 0..<100 {
                #expect(try client.answer(UInt32(2 * stream + 1)).reset == 8)
            }
            try client.send(.headers(201, HTTP2Frame.request("HEAD", "/next")))
            #expect(try client.answer(201).status == 200)
        }
    }

    @Test("a streamed response is reset if the client opens its window too slowly")
    func drops() async throws {
        try await withServer(.any, { $0.writeTimeout = 3 }) { server in
            let client = try HTTP2Client(server.address, settings: [(4, 0)])
            client.opensWindows = false
            try client.get(1, "/pieces/10/10000")
            while !client.part(1).isComplete, client.part(1).body.count < 9 {
                try client.send(.window(1, 1))
                try pass(seconds: 1)
                try client.readSome()
            }
            #expect(client.part(1).reset == 8)
        }
    }

    @Test("reading a response doesn't extend the request's timeout", arguments: [false, true])
    func readsOn(isHead: Bool) async throws {
        let configure: (inout HTTPConfiguration) -> Void = {
            ($0.headTimeout, $0.bodyTimeout) = (1, 1)
        }
        let size = 20_000_000
        try await withFile([UInt8](repeating: 1, count: size)) { stage, _ in
            try await withServer(.any, stage: stage, configure) { server in
                let client = try HTTP2Client(
                    server.address,
                    settings: [(4, 0x7FFF_FFFF)],
                    receiveBuffer: 4096
                )
                client.opensWindows = false
                try client.send(.window(0, 0x7FFF_0000))
                try client.get(1, "/file")
                while client.part(1).body.isEmpty { #expect(try client.readFrame()) }
                let head = HPACK.encode(HTTP2Frame.request())
                try client.send(
                    isHead
                        ? HTTP2Frame(.headers, stream: 3, head)
                        : .headers(3, post("/echo"), ends: false)
                )
                try pass(seconds: 3)
                if isHead {
                    #expect(try client.goAway() == 11)
                } else {
                    while client.part(3).status == 0 { #expect(try client.readFrame()) }
                    #expect(client.part(3).status == 408)
                }
                #expect(client.part(1).body.count < size)
            }
        }
    }

    @Test("reading one response doesn't stop the timers of the client's other streams")
    func busy() async throws {
        let seconds: @Sendable (inout HTTPConfiguration) -> Void = {
            ($0.bodyTimeout, $0.heartbeat) = (1, 1)
        }
        try await withServer(.any, seconds) { server in
            let settings: [(UInt16, UInt32)] = [(4, 0)]
            let client = try HTTP2Client(server.address, settings: settings, receiveBuffer: 4096)
            client.opensWindows = false
            try client.send(.window(0, 0x7FFF_0000))
            try client.get(1, "/pieces/1000000/16384")
            try client.send(.window(1, 0x7FFF_FFFF))
            try client.send(.headers(3, post("/echo"), ends: false))
            try client.get(5, "/beat/x")
            try client.send(.window(5, 1000))
            while client.part(3).status == 0 || client.part(5).text.isEmpty {
                guard try client.readFrame() else { break }
            }
            #expect(client.part(3).status == 408)
            #expect(client.part(5).text.hasPrefix("*"))
            #expect(!client.part(1).isComplete)
        }
    }

    @Test("a client that reads slowly gets all its responses in turn")
    func turns() async throws {
        try await withServer(.any, { $0.writeTimeout = 2 }) { server in
            let settings: [(UInt16, UInt32)] = [(4, 0x7FFF_FFFF)]
            let client = try HTTP2Client(server.address, settings: settings, receiveBuffer: 4096)
            client.opensWindows = false
            try client.send(.window(0, 0x7FFF_0000))
            let streams = (0..<100).map { UInt32(2 * $0 + 1) }
            for stream in streams { try client.get(stream, "/pieces/1000/16384") }
            // Twelve frames a second for a hundred streams: each has one in eight seconds.
            for _ in 0..<6 {
                for _ in 0..<12 { _ = try client.readFrame() }
                try pass(seconds: 1)
            }
            for _ in 0..<1000 { _ = try client.readFrame() }
            #expect(streams.allSatisfy { client.part($0).reset == nil })
        }
    }
}
