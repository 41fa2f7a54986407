#if canImport(Glibc) || canImport(Musl)
#if canImport(Glibc)
import Glibc
#else
import Musl
#endif
import BlockingThreads
import Locking
import Plug

#if canImport(Glibc)
private let streamType = Int32(SOCK_STREAM.rawValue)
private let noSignal = Int32(MSG_NOSIGNAL)
#else
private let streamType = SOCK_STREAM
private let noSignal = MSG_NOSIGNAL
#endif

/// A server on its own socket that records requests and sends scripted responses.
final class TestServer: Sendable {
    enum Answer: Sendable {
        case bytes(String)
        case bytesThenClose(String)
        /// Closes the connection after the request has come.
        case close
        /// Answers nothing and waits for the client to close.
        case silence
        /// Answers with a text, then another again and again until the client closes.
        case endless(String, String)
        /// Answers at the head of a request, before the body has come.
        case early(String)
    }

    enum Event: Sendable, Equatable {
        case request(connection: Int, text: String)
        case closed(connection: Int)
    }

    let port: UInt16
    let events: AsyncStream<Event>
    private let listener: Int32
    private let answers: Locked<[Answer]>
    private let continuation: AsyncStream<Event>.Continuation

    convenience init(_ answers: Answer...) {
        self.init(answers)
    }

    convenience init(repeating answer: Answer, count: Int) {
        self.init(Array(repeating: answer, count: count))
    }

    private init(_ answers: [Answer]) {
        self.answers = Locked(answers)
        (events, continuation) = AsyncStream.makeStream()
        listener = socket(AF_INET, streamType, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = bind(listener, address, size)
                _ = listen(listener, 16)
                _ = getsockname(listener, address, &size)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        BlockingThreads.start { [self] in
            var count = 0
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else {
                    close(listener)
                    return
                }
                let number = count
                count += 1
                BlockingThreads.start { self.serve(connection, number) }
            }
        }
    }

    var url: String { "http://127.0.0.1:\(port)" }

    /// Refuses connections from now on.
    func stop() {
        // Closed by the thread that accepts: closed here, its number could be another test's next.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func serve(_ connection: Int32, _ number: Int) {
        defer {
            close(connection)
            continuation.yield(.closed(connection: number))
        }
        var received: [UInt8] = []
        while let request = next(connection, &received) {
            continuation.yield(.request(connection: number, text: request))
            let answer = answers.withLock { $0.isEmpty ? .close : $0.removeFirst() }
            switch answer {
            case .bytes(let text):
                write(connection, text)
            case .bytesThenClose(let text):
                write(connection, text)
                return
            case .early(let text):
                write(connection, text)
                // A close with bytes unread would be a reset, which may take the answer with it.
                var room = [UInt8](repeating: 0, count: 1 << 16)
                while recv(connection, &room, room.count, 0) > 0 {}
                return
            case .endless(let head, let text):
                write(connection, head)
                let piece = String(repeating: text, count: 1 + 65_536 / text.utf8.count)
                while write(connection, piece) {}
                return
            case .close:
                return
            case .silence:
                _ = next(connection, &received)
                return
            }
        }
    }

    /// The next request whole, nil at the connection's end.
    private func next(_ connection: Int32, _ received: inout [UInt8]) -> String? {
        while true {
            let text = String(decoding: received, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                let length =
                    text[..<end].split(separator: "\r\n")
                    .first { $0.lowercased().hasPrefix("content-length: ") }
                    .flatMap { Int($0.dropFirst(16)) } ?? 0
                let isEarly = answers.withLock { answers in
                    if case .early = answers.first { true } else { false }
                }
                let start = text[..<end].utf8.count + 4
                let isChunked = text[..<end].contains("Transfer-Encoding: chunked")
                let total = isChunked ? Self.end(ofChunks: received, start) : start + length
                if received.count >= total || isEarly {
                    received.removeFirst(min(total, received.count))
                    return isEarly ? String(text[..<end]) : text
                }
            }
            var room = [UInt8](repeating: 0, count: 4_096)
            let count = recv(connection, &room, room.count, 0)
            guard count > 0 else { return nil }
            received += room[..<count]
        }
    }

    /// The end of chunks without a trailer; beyond the received bytes if it is missing.
    private static func end(ofChunks bytes: [UInt8], _ start: Int) -> Int {
        let last = Array("0\r\n\r\n".utf8)
        var place = start
        while let line = bytes[min(place, bytes.count)...].firstIndex(of: 0x0A) {
            if bytes[place...].starts(with: last) { return place + last.count }
            let digits = String(decoding: bytes[place..<line - 1], as: UTF8.self)
            place = line + 1 + (Int(digits, radix: 16) ?? 0) + 2
        }
        return .max
    }

    @discardableResult
    private func write(_ connection: Int32, _ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, noSignal)
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

extension String {
    /// The index at which a text first stands.
    fileprivate func range(of text: String) -> Index? {
        utf8.indices.first { self[$0...].utf8.starts(with: text.utf8) }
    }
}
#endif
