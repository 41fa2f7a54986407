import HTTP2Frames
import Testing

@testable import HTTPServer

/// A client's abuse of a server that responds to all its requests.
private struct Flood: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Sent once before.
    var opening: [HTTP2Frame] = []
    /// Sent again and again; the argument counts.
    let frames: @Sendable (UInt32) -> [HTTP2Frame]
    /// The code of the GOAWAY that ends it.
    var code: UInt32 = 11

    init(
        _ description: String,
        opening: [HTTP2Frame] = [],
        code: UInt32 = 11,
        _ frames: @escaping @Sendable (UInt32) -> [HTTP2Frame]
    ) {
        testDescription = description
        (self.opening, self.code, self.frames) = (opening, code, frames)
    }

    static func get(_ stream: UInt32, _ path: String = "/later/never") -> HTTP2Frame {
        .headers(stream, HTTP2Frame.request("GET", path))
    }

    static func post(_ stream: UInt32) -> HTTP2Frame {
        .headers(stream, HTTP2Frame.request("POST", "/echo"), ends: false)
    }

    static let all = [
        Flood("rapid reset (CVE-2023-44487)") { [get(2 * $0 + 1), .reset(2 * $0 + 1)] },
        Flood("a WINDOW_UPDATE of nothing", code: 1) { [get(2 * $0 + 1), .window(2 * $0 + 1, 0)] },
        Flood("resets that the client's errors provoke (CVE-2025-8671)") {
            [post(2 * $0 + 1), .window(2 * $0 + 1, 0x7FFF_FFFF)]
        },
        Flood("malformed requests") { [.headers(2 * $0 + 1, [(":method", "GET")])] },
        Flood("streams beyond the limit") { [get(2 * $0 + 1)] },
        Flood("PING (CVE-2019-9512)") { _ in [.ping()] },
        Flood("answers to a PING that nobody sent") { _ in
            [HTTP2Frame(.ping, flags: HTTP2Frame.ack, [UInt8](repeating: 0, count: 8))]
        },
        Flood("SETTINGS (CVE-2019-9515)") { _ in [.settings()] },
        Flood("SETTINGS that move the windows of many streams") { [.settings([(4, $0 % 2)])] },
        Flood("empty DATA (CVE-2019-9518)", opening: [post(1)]) { _ in [.data(1, "", ends: false)]
        },
        Flood("DATA of padding alone", opening: [post(1)]) { _ in
            [HTTP2Frame(.data, flags: HTTP2Frame.padded, stream: 1, [3, 0, 0, 0])]
        },
        Flood("frames of a kind that there isn't (§5.5)") { _ in [HTTP2Frame(0x42, [1, 2, 3])] },
        Flood("PRIORITY (CVE-2019-9513)") { [HTTP2Frame(.priority, stream: 2 * $0 + 1, priority)] },
        Flood("WINDOW_UPDATE of one byte (CVE-2019-9511)", opening: [get(1, "/bytes/1000000")]) {
            _ in [.window(1, 1)]
        },
        Flood("CONTINUATION without end (CVE-2024-27316)", opening: [opening]) { _ in
            [HTTP2Frame(.continuation, stream: 1, HPACK.encode([("a", "b")]))]
        },
        Flood("empty CONTINUATION", opening: [opening]) { _ in
            [HTTP2Frame(.continuation, stream: 1)]
        },
        Flood("a large field again and again (CVE-2016-6581)") { bomb($0) },
        Flood("the window of the connection overflows", code: 3) { _ in [.window(0, 0x7FFF_FFFF)] },
    ]

    private static let priority = HTTP2Frame.big(0) + [16]
    private static let opening = HTTP2Frame(
        .headers,
        stream: 1,
        HPACK.encode(HTTP2Frame.request())
    )

    /// A field of 4,000 bytes enters the table, and one byte each stands for it from then on.
    private static func bomb(_ count: UInt32) -> [HTTP2Frame] {
        let stream = 2 * count + 1
        let value = [UInt8](repeating: 0x61, count: 4000)
        let entry = [0x40, 1, 0x62] + HPACK.integer(value.count, bits: 7) + value
        let head = HPACK.encode(HTTP2Frame.request())
        let block = head + entry + [UInt8](repeating: 0xBE, count: 10_000)
        return [HTTP2Frame(.headers, flags: 5, stream: stream, block)]
    }
}

@Suite(
    "Floods over HTTP/2 end in GOAWAY (RFC 9113 §10.5)",
    .blockingClients,
    .timeLimit(.minutes(5))
)
struct HTTP2FloodTests {
    @Test("a flood ends its connection, and other clients are served", arguments: Flood.all)
    fileprivate func flood(_ flood: Flood) async throws {
        try await withServer { server in
            let bystander = try HTTP2Client(server.address)
            try bystander.get(1, "/before")
            #expect(try bystander.answer(1).text == "/before")
            let client = try HTTP2Client(server.address)
            client.opensWindows = false
            try client.send(flood.opening)
            var count: UInt32 = 0
            // A server that has closed resets what is still sent.
            while count < 100_000, client.client.end == nil {
                do {
                    try client.send((0..<50).flatMap { flood.frames(count + $0) })
                    client.client.readSome()
                } catch {
                    break
                }
                count += 50
            }
            #expect(count < 100_000)
            let code = try client.goAway()
            #expect(code == flood.code)
            try bystander.get(3, "/after")
            #expect(try bystander.answer(3).text == "/after")
        }
    }

    @Test("a client that never reads is no longer read from, and uses limited memory")
    func unread() async throws {
        try await withUnixServer { server in
            let client = try HTTP2Client(server.address, settings: [(4, 0x7FFF_FFFF)])
            try client.send(.window(0, 0x7FFF_0000))
            for stream in 0..<100 { try client.get(UInt32(2 * stream + 1), "/bytes/1000000") }
            // The kernel's buffers fill, and then nothing more is taken.
            let ping = HTTP2Frame.ping().bytes
            var stalled = 0
            while stalled < 3 {
                stalled = try client.client.sendSome(ping[...]) == 0 ? stalled + 1 : 0
                try server.turn()
            }
            #expect(server.stage.answered > 0)
        }
    }

    @Test("a browser may cancel a hundred requests and continue")
    func leaving() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            let streams = (0..<100).map { UInt32(2 * $0 + 1) }
            try client.send(streams.map { Flood.get($0) })
            try client.send(streams.map { .reset($0) })
            try client.get(201, "/next")
            #expect(try client.answer(201).text == "/next")
        }
    }

    @Test(
        "WINDOW_UPDATEs that return sent octets aren't a flood, however small (RFC 9113 §6.9)",
        arguments: [512, 64]
    )
    func smallReads(size: Int) async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            client.readSize = size
            try client.get(1, "/bytes/2000000")
            #expect(try client.answer(1).body.count == 2_000_000)
            try client.get(3, "/next")
            #expect(try client.answer(3).text == "/next")
        }
    }

    @Test("two WINDOW_UPDATEs for each small piece of a stream aren't a flood")
    func smallPieces() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            let head = HTTP2Frame.request("POST", "/stream", [("x-echo", "1")])
            try client.send(.headers(1, head, ends: false))
            // The next piece follows the updates for the previous one.
            for count in 1...2000 {
                try client.send(.data(1, "a", ends: false))
                while client.part(1).body.count < count { #expect(try client.readFrame()) }
            }
            try client.send(.data(1, ""))
            #expect(try client.answer(1).body.count == 2000)
        }
    }

    @Test("more WINDOW_UPDATEs than the sent octets allow are a flood")
    func returnedTwice() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            try client.get(1, "/bytes/1000000")
            #expect(try client.answer(1).body.count == 1_000_000)
            let updates = [HTTP2Frame](repeating: .window(0, 1), count: 1000)
            for _ in 0..<50 { try? client.send(updates) }
            #expect(try client.goAway() == 11)
        }
    }

    @Test("a proxy may cancel a request for each response that it receives")
    func cancelled() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            for pair in 0..<500 as Range<UInt32> {
                try client.send(Flood.get(4 * pair + 1), .reset(4 * pair + 1))
                try client.get(4 * pair + 3, "/next")
                #expect(try client.answer(4 * pair + 3).text == "/next")
            }
        }
    }

    @Test("a large response read in small windows doesn't count as a flood")
    func smallWindows() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address, settings: [(4, 1000)])
            for stream in [1, 3, 5] as [UInt32] {
                try client.get(stream, "/bytes/1000000")
                #expect(try client.answer(stream).body.count == 1_000_000)
            }
        }
    }

    @Test(
        "above 4 MiB of unread responses requests are rejected (RFC 9113 §8.7), later served again"
    )
    func answersUnread() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address, settings: [(4, 0)])
            client.opensWindows = false
            let streams = (0..<80).map { UInt32(2 * $0 + 1) }
            for stream in streams { try client.get(stream, "/bytes/100000") }
            // The answer to the first PING goes before all else.
            try client.turn()
            try client.turn()
            let refused = streams.filter { client.part($0).reset == 7 }
            // 4 MiB are 42 of them.
            #expect(refused == Array(streams[42...]))
            client.opensWindows = true
            try client.send(.settings([(4, 200_000)]), .window(0, 10_000_000))
            for stream in streams[..<42] {
                #expect(try client.answer(stream).body.count == 100_000)
            }
            try client.get(201, "/bytes/100000")
            #expect(try client.answer(201).body.count == 100_000)
        }
    }

    @Test("delayed responses above 16 MiB are reset, and the others are sent")
    func lateAnswersUnread() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address, settings: [(4, 0)])
            client.opensWindows = false
            let streams = (0..<60).map { UInt32(2 * $0 + 1) }
            for stream in streams { try client.get(stream, "/later/\(stream)/1000000") }
            try client.turn()
            for stream in streams { server.stage.signal("\(stream)").give() }
            // 16 MiB are 17 of them.
            let refused = streams[17...]
            for stream in refused { #expect(try client.answer(stream).reset == 11) }
            client.opensWindows = true
            try client.send(.settings([(4, 2_000_000)]), .window(0, 20_000_000))
            for stream in streams.dropLast(refused.count) {
                #expect(try client.answer(stream).body.count == 1_000_000)
            }
            try client.get(201, "/later/1/1000000")
            #expect(try client.answer(201).body.count == 1_000_000)
        }
    }

    @Test("delayed bodies don't bypass the limit on unread responses")
    func bodiesUnread() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address, settings: [(4, 0)])
            client.opensWindows = false
            let streams = (0..<80).map { UInt32(2 * $0 + 1) }
            let head = HTTP2Frame.request("POST", "/bytes/100000")
            for stream in streams { try client.send(.headers(stream, head, ends: false)) }
            for stream in streams { try client.send(.data(stream, "x")) }
            try client.turn()
            try client.turn()
            // 4 MiB are 42 of them.
            #expect(streams.filter { client.part($0).reset == 7 } == Array(streams[42...]))
        }
    }

    @Test("large responses are reset while unread responses fill the budget")
    func lateUnreadBudget() async throws {
        try await withServer(.any, { $0.outputBudget = 150_000 }) { server in
            let clients = try (0..<2).map { _ in
                try HTTP2Client(server.address, settings: [(4, 0)])
            }
            for (name, client) in zip(["a", "b"], clients) {
                for stream in [1, 3, 5] as [UInt32] {
                    try client.get(stream, "/later/\(name)\(stream)/3000000")
                }
                try client.turn()
            }
            for name in ["a1", "a3", "a5", "b1", "b3", "b5"] { server.stage.signal(name).give() }
            // The first response fills it; the others are of clients that have none left.
            #expect(try clients[0].answer(5).reset == 11)
            #expect(try clients[1].answer(5).reset == 11)
            #expect([1, 3].map { clients[0].part($0).reset } == [nil, 11])
            #expect([1, 3].map { clients[1].part($0).reset } == [11, 11])
        }
    }

    @Test("while unread responses fill the budget, a client that stores some is rejected")
    func unreadBudget() async throws {
        try await withUnixServer({ $0.outputBudget = 150_000 }) { server in
            let clients = try (0..<3).map { _ in
                try HTTP2Client(server.address, settings: [(4, 0)])
            }
            for client in clients {
                for stream in [1, 3, 5] as [UInt32] { try client.get(stream, "/bytes/100000") }
                try client.turn()
                try client.turn()
            }
            // The first may have two, since the budget isn't full before. The others store nothing, so
            // their requests are performed; responses of more than their share are given up.
            #expect(clients.map { $0.part(1).reset } == [nil, 11, 11])
            #expect(clients.map { $0.part(3).reset } == [nil, 11, 11])
            #expect(clients.map { $0.part(5).reset } == [7, 11, 11])
        }
    }
}
