import CNghttp2

@testable import HTTP2
@testable import HTTPSyntax

/// Feeds an HTTP/2 session a connection's bytes, whole and in pieces, which must agree.
///
/// The first byte says whether the preface and empty SETTINGS are put before the rest, which is
/// where nearly all of the session is; it and the second choose the pieces.
@c(LLVMFuzzerTestOneInput)
public func fuzzHTTP2(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count > 2, let start else { return 0 }
    var input = Array(ByteSpan(start: start + 2, count: count - 2))
    if start[0] & 1 == 0 {
        let preface = HTTP2Session.preface
        let bytes = ByteSpan(start: preface.utf8Start, count: preface.utf8CodeUnitCount)
        input = Array(bytes) + [0, 0, 0, 4, 0, 0, 0, 0, 0] + input
    }
    var state = UInt64(start[0]) << 8 | UInt64(start[1])
    let whole = serve(input) { input.count }
    let pieces = serve(input) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 58) + 1
    }
    precondition(pieces.isOver || whole.told.count == pieces.told.count)
    for (id, told) in whole.told {
        let agrees = pieces.told[id].map(told.agrees) ?? pieces.isOver
        precondition(agrees, "the pieces disagree with the whole")
    }
    return 0
}

/// The events that a session reported for one stream.
private struct Told {
    var head: [UInt8] = []
    var body: [UInt8] = []
    var isEnded = false
    var failure: UInt16?

    /// A body that breaks off may have come further in smaller pieces.
    func agrees(_ pieces: Told) -> Bool {
        guard head == pieces.head, failure == pieces.failure else { return false }
        return isEnded && pieces.isEnded ? body == pieces.body : pieces.body.starts(with: body)
    }
}

/// Serves the session's requests and records its events.
private final class Witness: HTTP2Handler {
    final class Stream {
        let id: Int32
        var sent = 0
        let length: Int

        init(_ id: Int32, _ length: Int) { (self.id, self.length) = (id, length) }
    }

    let session: HTTP2Session
    var told: [Int32: Told] = [:]
    private var streams: [Stream] = []
    private let limits: HTTP2Limits

    init?(_ limits: HTTP2Limits) {
        self.limits = limits
        guard let session = HTTP2Session(limits: limits, now: 0) else { return nil }
        self.session = session
        session.handler = self
    }

    private func open(_ id: Int32, _ length: Int) -> Stream {
        let stream = Stream(id, length)
        streams.append(stream)
        let context = Unmanaged.passUnretained(stream).toOpaque()
        precondition(session.attach(context, to: id), "the session reported an unknown stream")
        return stream
    }

    private static let fields: ResponseFields = ["Content-Type": "text/html", "X": "z"]

    private func answer(_ stream: Stream) {
        let context = Unmanaged.passUnretained(stream).toOpaque()
        session.respond(stream.id, context, hasBody: stream.length > 0)
    }

    func head(_ context: UnsafeMutableRawPointer) -> HTTP2Session.ResponseHead? {
        let stream = Unmanaged<Stream>.fromOpaque(context).takeUnretainedValue()
        let fields: ResponseFields = ["Content-Type": "text/plain", "X": "y"]
        return HTTP2Session.ResponseHead(
            status: 200,
            date: ByteSpan(start: nil, count: 0),
            fields: stream.id % 3 == 0 ? fields : Self.fields,
            length: stream.length
        )
    }

    func began(_ id: Int32, _ place: UnsafePointer<RequestHead>, isComplete: Bool) {
        let head = place.pointee
        precondition(told[id] == nil, "a stream began twice")
        check(head, isComplete)
        var summary = Array(head.path) + (head.query ?? ByteSpan(start: nil, count: 0))
        for line in head.fields { summary += Array(line.name) + Array(line.value) }
        told[id] = Told(head: summary, isEnded: isComplete)
        let stream = open(id, head.path.count * 100)
        if isComplete { answer(stream) } else if head.expectsContinue { session.sendContinue(id) }
    }

    private func check(_ head: RequestHead, _ isComplete: Bool) {
        precondition(head.path.first == 0x2F || head.path.equals("*"))
        if head.path.first == 0x2F { precondition(head.path.allSatisfy(ByteClass.isPath)) }
        precondition(head.path.elementsEqual(PercentCoding.normalized(head.rawPath).utf8))
        if let query = head.query { precondition(query.allSatisfy(ByteClass.isQuery)) }
        precondition(Authority.isValid(head.authority))
        precondition(head.form != .asterisk || head.method == .options)
        precondition(head.length <= limits.head.head && head.fields.count <= limits.head.fields)
        precondition((head.framing == .none) == isComplete)
        precondition(head.count(of: "host") <= 1 && head.count(of: "cookie") <= 1)
        for name in ["connection", "transfer-encoding", "upgrade"] as [StaticString] {
            precondition(head.count(of: name) == 0, "a field of the connection's")
        }
        for line in head.fields {
            precondition(!line.name.isEmpty && line.name.allSatisfy(ByteClass.isToken))
            precondition(!line.name.contains { ByteClass.lowercased($0) != $0 })
            precondition(line.value.allSatisfy(ByteClass.isFieldValue))
            precondition(line.value.trimmed.count == line.value.count)
        }
    }

    func failed(_ id: Int32, _ error: ProtocolError, isHead: Bool) {
        precondition(told[id] == nil && (400..<600).contains(error.status))
        told[id] = Told(failure: error.status)
        answer(open(id, isHead ? 0 : 10))
    }

    func received(_ context: UnsafeMutableRawPointer, _ bytes: ByteSpan) {
        let stream = Unmanaged<Stream>.fromOpaque(context).takeUnretainedValue()
        precondition(told[stream.id]?.isEnded == false || told[stream.id]?.failure != nil)
        told[stream.id]?.body += bytes
        session.consume(bytes.count, of: stream.id)
    }

    func ended(_ context: UnsafeMutableRawPointer) {
        let stream = Unmanaged<Stream>.fromOpaque(context).takeUnretainedValue()
        precondition(told[stream.id]?.isEnded == false, "a body ended twice")
        told[stream.id]?.isEnded = true
        if told[stream.id]?.failure == nil { answer(stream) }
    }

    func answeredEarly(_ context: UnsafeMutableRawPointer) {
        session.reset(Unmanaged<Stream>.fromOpaque(context).takeUnretainedValue().id, .noError)
    }

    func closed(_ context: UnsafeMutableRawPointer) {}

    func next(_ context: UnsafeMutableRawPointer, limit: Int) -> HTTP2Piece? {
        let stream = Unmanaged<Stream>.fromOpaque(context).takeUnretainedValue()
        let count = min(limit, stream.length - stream.sent)
        stream.sent += count
        return HTTP2Piece(count: count, isLast: stream.sent == stream.length)
    }

    func write(
        _ context: UnsafeMutableRawPointer,
        _ count: Int,
        to place: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        place.update(repeating: 0x78, count: count)
        return true
    }
}

/// Returns what the session told, and whether it was over for the client's GOAWAY: what follows
/// that in the same read is still read.
private func serve(
    _ input: [UInt8],
    _ pieces: () -> Int
) -> (told: [Int32: Told], isOver: Bool) {
    var limits = HTTP2Limits()
    limits.head.head = 1024
    limits.head.target = 256
    limits.head.fields = 16
    limits.streams = 8
    guard let witness = Witness(limits) else { return ([:], true) }
    var isOver = false
    var output = OutputBuffer(capacity: 1024)
    var start = 0
    while start < input.count {
        let end = min(start + max(pieces(), 1), input.count)
        // Memory of its own, which ends where the piece does: a look beyond it is seen.
        let piece = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: end - start)
        _ = piece.initialize(from: input[start..<end])
        witness.session.receive(ByteSpan(piece), now: 0)
        piece.deallocate()
        start = end
        if nghttp2_session_want_read(witness.session.raw) == 0 { isOver = true }
    }
    // It can't write for ever: the windows are the client's.
    for _ in 0..<1000 where witness.session.hasOutput {
        witness.session.write(to: &output, limit: 64 * 1024)
        output.removeAll(keepingCapacity: 64 * 1024)
    }
    return (witness.told, isOver)
}
