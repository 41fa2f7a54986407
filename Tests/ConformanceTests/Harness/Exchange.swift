/// The server's output for a case, before evaluation.
struct Observation: Sendable {
    /// The final responses to the case's own requests, in order.
    var answers: [Response] = []
    var interims: [Response] = []
    /// Whether a further request was sent, because nothing announced the end of the connection.
    var probed = false
    /// Whether it was answered with what it asked for.
    var probeAnswered = false
    var fault: String?
    var end = RawClient.End.stillOpen
    var toHTTP10 = false
    var sent: [UInt8] = []
    var received: [UInt8] = []

    var statuses: [Int] { answers.map(\.status) }

    func complaints(for row: Case) -> [String] {
        if let fault { return [fault] }
        var complaints = (interims + answers).flatMap { $0.complaints(toHTTP10: toHTTP10) }
        if answers.dropLast().contains(where: \.saysClose) {
            complaints.append("a response after one that says `close` (RFC 9112 §9.6)")
        }
        if !row.interims.contains(interims.count) || interims.contains(where: { $0.status != 100 })
        {
            complaints.append("interim responses: \(interims.map(\.status))")
        }
        if let complaint = row.expected.complaint(about: self) {
            complaints.append(complaint)
        } else if let complaint = row.check(answers) {
            complaints.append(complaint)
        }
        return complaints
    }

    var transcript: String {
        "sent:     \(Self.printable(sent))\nreceived: \(Self.printable(received)), \(end)"
    }

    private static func printable(_ bytes: [UInt8]) -> String {
        let shown = bytes.prefix(900).map { byte -> String in
            switch byte {
            case 0x0D: "\\r"
            case 0x0A: "\\n"
            case 0x20..<0x7F: String(Unicode.Scalar(byte))
            default: "\\x" + String(byte, radix: 16)
            }
        }
        return shown.joined() + (bytes.count > 900 ? " … (\(bytes.count) octets)" : "")
    }
}

/// One connection: the steps of a case, its answers, then a probe that shows whether both sides still agree
/// where messages begin.
///
/// The probe replaces waiting: instead of a pause in which nothing may come, one more request whose answer
/// must be the very next bytes and the last ones.
enum Exchange {
    static let probe = request("GET /hello.txt HTTP/1.1", host, "Connection: close")

    static func observe(
        _ wire: Wire,
        port: UInt16,
        heads: Set<Int>,
        awaiting count: Int
    ) throws -> Observation {
        let sent = wire.bytes
        let line = wire.requestLine
        var session = Session(
            client: try RawClient(port: port, patience: .seconds(60)),
            heads: line.hasPrefix("HEAD ") ? heads.union([0]) : heads
        )
        session.seen.sent = sent
        session.seen.toHTTP10 = line.hasSuffix(" HTTP/1.0")
        for step in wire.steps { session.perform(step) }
        session.read { $0.answers.count >= max(count, 1) }
        if session.mayProbe {
            session.seen.probed = true
            session.perform(.send(probe.bytes, pace: nil))
        }
        session.read { _ in false }
        return session.finished()
    }
}

private struct Session {
    let client: RawClient
    let heads: Set<Int>
    var seen = Observation()
    private var reader = ResponseReader()
    private var taken = 0
    private var awaited = 0
    private var isHalfClosed = false

    init(client: RawClient, heads: Set<Int>) {
        self.client = client
        self.heads = heads
    }

    mutating func perform(_ step: Wire.Step) {
        switch step {
        case .send(let bytes, pace: nil):
            write(bytes)
        case .send(let bytes, .some(let pace)):
            for start in stride(from: 0, to: bytes.count, by: pace) {
                if isClosing || client.end != nil { return }
                write(Array(bytes[start..<min(start + pace, bytes.count)]))
                client.yieldToServer()
                parse()
            }
        case .sendUnlessClosing(let bytes):
            if !isClosing { write(bytes) }
        case .awaitResponse:
            awaited += 1
            read { [awaited] in $0.answers.count + $0.interims.count >= awaited }
        case .halfClose:
            isHalfClosed = true
            client.halfClose()
        }
    }

    mutating func read(until isEnough: (Observation) -> Bool) {
        parse()
        while !isEnough(seen), seen.fault == nil, client.readMore() { parse() }
        parse()
    }

    /// A response told that nothing further will be answered.
    var isClosing: Bool {
        guard let last = seen.answers.last else { return false }
        return last.saysClose || (seen.toHTTP10 && !last.saysKeepAlive)
    }

    var mayProbe: Bool {
        client.end == nil && seen.fault == nil && !seen.answers.isEmpty && !isClosing
            && !isHalfClosed
    }

    mutating func finished() -> Observation {
        seen.end = client.end ?? .stillOpen
        seen.received = client.received
        if seen.fault == nil, reader.leftover > 0 {
            seen.fault = "\(reader.leftover) octets that are no complete response: \(seen.end)"
        }
        if seen.probed {
            guard let last = seen.answers.last, last.status == 200, last.saysClose,
                last.body == Fixtures.hello
            else { return seen }
            seen.answers.removeLast()
            seen.probeAnswered = true
        } else if seen.end != .stillOpen, !isClosing, !isHalfClosed, !seen.answers.isEmpty {
            seen.fault = seen.fault ?? "\(seen.statuses), then \(seen.end) without announcing it"
        }
        return seen
    }

    private mutating func write(_ bytes: [UInt8]) {
        client.send(bytes) { [self] in
            var copy = self
            copy.parse()
            return copy.isClosing && bytes.count < 100_000
        }
        parse()
    }

    private mutating func parse() {
        guard seen.fault == nil else { return }
        reader.feed(client.received[taken...])
        taken = client.received.count
        do {
            while let response = try reader.next(
                toHEAD: heads.contains(seen.answers.count),
                atEnd: client.end != nil && client.end != .stillOpen && reader.leftover > 0
            ) {
                if (100..<200).contains(response.status) {
                    seen.interims.append(response)
                } else {
                    seen.answers.append(response)
                }
            }
        } catch let fault as ResponseReader.FramingFault {
            seen.fault = "the stream is out of step: \(fault.what)"
        } catch {
            seen.fault = "\(error)"
        }
    }
}
