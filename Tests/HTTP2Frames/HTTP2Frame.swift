/// A frame as it is on the wire (RFC 9113 §4.1): nothing keeps a test from building a wrong one.
package struct HTTP2Frame: Equatable, Sendable {
    package enum Kind: UInt8, Sendable {
        case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate
        case continuation
    }

    package static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    package static let endStream: UInt8 = 1
    package static let ack: UInt8 = 1
    package static let endHeaders: UInt8 = 4
    package static let padded: UInt8 = 8
    package static let priority: UInt8 = 32

    package var type: UInt8
    package var flags: UInt8
    package var stream: UInt32
    package var payload: [UInt8]

    package init(_ type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
        (self.type, self.flags, self.stream, self.payload) = (type, flags, stream, payload)
    }

    package init(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
        self.init(kind.rawValue, flags: flags, stream: stream, payload)
    }

    package var kind: Kind? { Kind(rawValue: type) }

    package var bytes: [UInt8] {
        let count = UInt32(payload.count)
        return Self.big(count).dropFirst() + [type, flags] + Self.big(stream) + payload
    }

    /// The error code of RST_STREAM or GOAWAY, the increment of WINDOW_UPDATE.
    package var number: UInt32? {
        switch kind {
        case .reset, .windowUpdate: Self.number(payload, 0)
        case .goAway: Self.number(payload, 4)
        default: nil
        }
    }

    package var endsStream: Bool { flags & Self.endStream != 0 && stream != 0 }

    package static func big(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    static func number(_ bytes: [UInt8], _ start: Int) -> UInt32? {
        guard bytes.count >= start + 4 else { return nil }
        return bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    // MARK: The frames that tests send

    package static func settings(_ entries: [(UInt16, UInt32)] = []) -> HTTP2Frame {
        let payload = entries.flatMap { id, value in
            [UInt8(id >> 8), UInt8(id & 255)] + big(value)
        }
        return HTTP2Frame(.settings, payload)
    }

    package static func headers(
        _ stream: UInt32,
        _ fields: [(String, String)],
        ends: Bool = true
    ) -> HTTP2Frame {
        let flags = endHeaders | (ends ? endStream : 0)
        return HTTP2Frame(.headers, flags: flags, stream: stream, HPACK.encode(fields))
    }

    package static func data(_ stream: UInt32, _ text: String, ends: Bool = true) -> HTTP2Frame {
        HTTP2Frame(.data, flags: ends ? endStream : 0, stream: stream, Array(text.utf8))
    }

    package static func reset(_ stream: UInt32, _ code: UInt32 = 8) -> HTTP2Frame {
        HTTP2Frame(.reset, stream: stream, big(code))
    }

    package static func ping(_ byte: UInt8 = 0) -> HTTP2Frame {
        HTTP2Frame(.ping, [UInt8](repeating: byte, count: 8))
    }

    package static func window(_ stream: UInt32, _ increment: UInt32) -> HTTP2Frame {
        HTTP2Frame(.windowUpdate, stream: stream, big(increment))
    }

    package static let settingsAck = HTTP2Frame(.settings, flags: ack)

    /// A request's fields, with more behind them.
    package static func request(
        _ method: String = "GET",
        _ path: String = "/",
        _ more: [(String, String)] = []
    ) -> [(String, String)] {
        [(":method", method), (":scheme", "http"), (":path", path), (":authority", "a")] + more
    }
}

extension Array where Element == UInt8 {
    /// Takes the first frame, if it is whole.
    package mutating func takeFrame() -> HTTP2Frame? {
        guard count >= 9, let head = HTTP2Frame.number(self, 0),
            let stream = HTTP2Frame.number(self, 5)
        else { return nil }
        let end = 9 + Int(head >> 8)
        guard count >= end else { return nil }
        let frame = HTTP2Frame(self[3], flags: self[4], stream: stream, Array(self[9..<end]))
        removeFirst(end)
        return frame
    }
}

extension HTTP2Frame: CustomStringConvertible {
    package var description: String {
        "\(kind.map { "\($0)" } ?? "type \(type)") flags \(flags) stream \(stream) \(payload.prefix(16))"
    }
}
