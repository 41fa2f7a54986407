import HTTP2Frames

extension Site {
    /// A request of an HTTP/2 connection.
    struct HTTP2Request {
        var method = "GET"
        let path: String
        var fields: [(String, String)] = []
        /// The body's pieces, a DATA frame each; nil without a body.
        var body: [String]?
    }

    /// Sends requests at once over one HTTP/2 connection, and returns their responses in order.
    func http2(_ requests: [HTTP2Request]) async throws -> [Answer] {
        var frames = [HTTP2Frame.settings()]
        for (index, request) in requests.enumerated() {
            let stream = UInt32(2 * index + 1)
            let head = [
                (":method", request.method), (":scheme", "http"), (":path", request.path),
                (":authority", "localhost"),
            ]
            let fields = head + request.fields.map { ($0.0.lowercased(), $0.1) }
            frames.append(.headers(stream, fields, ends: request.body == nil))
            for piece in request.body ?? [] { frames.append(.data(stream, piece, ends: false)) }
            if request.body != nil { frames.append(.data(stream, "", ends: true)) }
        }
        let bytes = HTTP2Frame.preface + frames.flatMap(\.bytes)
        let count = requests.count
        let received = try await exchange(bytes, port: port) { received in
            Self.frames(received).count { $0.endsStream } == count
        }
        return try Self.answers(Self.frames(received), count)
    }

    private static func frames(_ bytes: [UInt8]) -> [HTTP2Frame] {
        var (bytes, frames) = (bytes, [HTTP2Frame]())
        while let frame = bytes.takeFrame() { frames.append(frame) }
        return frames
    }

    private static func answers(_ frames: [HTTP2Frame], _ count: Int) throws -> [Answer] {
        let decoder = HPACK.Decoder()
        var heads: [UInt32: [(name: String, value: String)]] = [:]
        var bodies: [UInt32: [UInt8]] = [:]
        for frame in frames {
            switch frame.kind {
            case .headers: heads[frame.stream] = decoder.decode(frame.payload)
            case .data: bodies[frame.stream, default: []] += frame.payload
            default: break
            }
        }
        return try (0..<count).map { index in
            let stream = UInt32(2 * index + 1)
            guard let head = heads[stream],
                let status = head.first(where: { $0.name == ":status" }).flatMap({ Int($0.value) })
            else { throw HarnessError("no response on stream \(stream): \(frames)") }
            return Answer(status: status, fields: head, body: bodies[stream] ?? [])
        }
    }
}
