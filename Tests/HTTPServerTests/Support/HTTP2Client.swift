import HTTP2Frames
import HTTPServer

/// A client that speaks HTTP/2 frame by frame, right or wrong.
final class HTTP2Client {
    /// An answer as it came over a stream.
    struct Answer {
        var status = 0
        var fields: [(name: String, value: String)] = []
        var body: [UInt8] = []
        /// The code of the RST_STREAM that ended it, if one did.
        var reset: UInt32?
        /// Interim answers before it.
        var interim: [Int] = []
        var isComplete = false

        var text: String { String(decoding: body, as: UTF8.self) }
        func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
    }

    let client: TestClient
    private let decoder = HPACK.Decoder()
    private var bytes: [UInt8] = []
    private var answers: [UInt32: Answer] = [:]
    /// All frames so far that are no part of an answer.
    private(set) var frames: [HTTP2Frame] = []
    /// The windows are opened as bytes come.
    var opensWindows = true
    /// The octets that each WINDOW_UPDATE returns at most.
    var readSize = Int.max

    /// Connects and says hello, and doesn't wait for an answer.
    init(
        _ address: SocketAddress,
        settings: [(UInt16, UInt32)] = [],
        receiveBuffer: CInt? = nil,
        prefaced: Bool = true
    ) throws {
        client = try TestClient(address, receiveBuffer: receiveBuffer)
        guard prefaced else { return }
        try client.send(HTTP2Frame.preface + HTTP2Frame.settings(settings).bytes)
    }

    func send(_ frames: HTTP2Frame...) throws { try send(frames) }

    func send(_ frames: [HTTP2Frame]) throws { try client.send(frames.flatMap(\.bytes)) }

    /// Sends a request without a body.
    func get(_ stream: UInt32, _ path: String, _ more: [(String, String)] = []) throws {
        try send(.headers(stream, HTTP2Frame.request("GET", path, more)))
    }

    /// The answer on a stream, when it is complete or was reset.
    func answer(_ stream: UInt32) throws -> Answer {
        while true {
            if let answer = answers[stream], answer.isComplete { return answer }
            guard try readFrame() else {
                throw TestClient.Failure(description: "closed before the answer: \(frames)")
            }
        }
    }

    /// The part of a response that has arrived.
    func part(_ stream: UInt32) -> Answer { answers[stream] ?? Answer() }

    /// Reads until there is such a frame; nil if the connection ends first.
    @discardableResult
    func frame(_ matches: (HTTP2Frame) -> Bool) throws -> HTTP2Frame? {
        while true {
            if let index = frames.firstIndex(where: matches) { return frames.remove(at: index) }
            guard try readFrame() else { return nil }
        }
    }

    @discardableResult
    func frame(_ kind: HTTP2Frame.Kind) throws -> HTTP2Frame? {
        try frame { $0.kind == kind && !($0.kind == .settings && $0.flags & 1 == 0) }
    }

    /// Takes a frame that is here already.
    func take(_ kind: HTTP2Frame.Kind) -> HTTP2Frame? {
        frames.firstIndex { $0.kind == kind }.map { frames.remove(at: $0) }
    }

    /// Takes what has come, without waiting.
    func readSome() throws {
        client.readSome()
        if !client.received.isEmpty { bytes += try client.readSomeMore() }
        while let frame = bytes.takeFrame() { take(frame) }
    }

    /// Waits until the server has served all that was sent so far.
    func turn() throws {
        try send(.ping(0xAB))
        _ = try frame { $0.kind == .ping && $0.payload.first == 0xAB }
    }

    /// Reads to the connection's end; the code of the last GOAWAY, nil if there was none.
    func goAway() throws -> UInt32? {
        while try readFrame() {}
        return frames.last { $0.kind == .goAway }?.number
    }

    /// Reads a frame; false at the connection's end.
    func readFrame() throws -> Bool {
        while true {
            if let frame = bytes.takeFrame() {
                take(frame)
                return true
            }
            let received = try client.readSomeMore()
            guard !received.isEmpty else { return false }
            bytes += received
        }
    }

    private func updates(for frame: HTTP2Frame) -> [HTTP2Frame] {
        var updates: [HTTP2Frame] = []
        var rest = frame.payload.count
        while rest > 0 {
            let count = min(rest, readSize)
            updates.append(.window(0, UInt32(count)))
            if !frame.endsStream { updates.append(.window(frame.stream, UInt32(count))) }
            rest -= count
        }
        return updates
    }

    private func take(_ frame: HTTP2Frame) {
        var answer = answers[frame.stream] ?? Answer()
        switch frame.kind {
        case .headers:
            let fields = decoder.decode(frame.payload)
            let status = fields.first { $0.name == ":status" }.flatMap { Int($0.value) } ?? 0
            if status < 200 {
                answer.interim.append(status)
            } else {
                (answer.status, answer.fields) = (status, fields)
            }
        case .data:
            answer.body += frame.payload
            if opensWindows, !frame.payload.isEmpty {
                try? send(updates(for: frame))
            }
        case .reset: answer.reset = frame.number
        case .settings where frame.flags & HTTP2Frame.ack == 0:
            frames.append(frame)
            // Where the server has ended the connection, what it said before is read still.
            try? send(.settingsAck)
            return
        default: return frames.append(frame)
        }
        if frame.endsStream || frame.kind == .reset { answer.isComplete = true }
        answers[frame.stream] = answer
        if frame.kind == .reset { frames.append(frame) }
    }
}
