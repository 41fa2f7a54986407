import GuardedBytes
import HTTP2Frames
import Testing

@testable import HTTP2
@testable import HTTPSyntax

/// The result of a request.
enum HTTP2Outcome: Equatable, CustomStringConvertible {
    case served
    case refused(UInt16)
    case reset(UInt32)
    case goAway(UInt32)
    case nothing

    var description: String {
        switch self {
        case .served: "served"
        case .refused(let status): "\(status)"
        case .reset(let code): "RST_STREAM \(code)"
        case .goAway(let code): "GOAWAY \(code)"
        case .nothing: "nothing"
        }
    }
}

/// Takes what a session tells, and answers nothing.
final class HTTP2Witness: HTTP2Handler {
    let session: HTTP2Session?
    var outcome = HTTP2Outcome.nothing
    var heads: [String] = []
    var body: [UInt8] = []
    var isEnded = false
    var sent: [HTTP2Frame] = []
    var answer: HTTP2Session.ResponseHead?

    init(_ limits: HTTP2Limits = HTTP2Limits()) {
        session = HTTP2Session(limits: limits, now: 0)
        session?.handler = self
    }

    func began(_ stream: Int32, _ place: UnsafePointer<RequestHead>, isComplete: Bool) {
        let head = place.pointee
        _ = session?.attach(Unmanaged.passUnretained(self).toOpaque(), to: stream)
        outcome = .served
        isEnded = isComplete
        let fields = head.fields.map { "\($0.name.text)=\($0.value.text)" }.joined(separator: ",")
        let query = head.query.map { "?" + $0.text } ?? ""
        let uri = "\(head.scheme)://\(head.authority.text)\(head.path.text)\(query)"
        heads.append("\(head.methodName.text) \(uri) \(fields)")
    }

    func failed(_ stream: Int32, _ error: ProtocolError, isHead: Bool) {
        outcome = .refused(error.status)
    }

    func received(_ context: UnsafeMutableRawPointer, _ bytes: ByteSpan) { body += bytes }
    func ended(_ context: UnsafeMutableRawPointer) { isEnded = true }
    func answeredEarly(_ context: UnsafeMutableRawPointer) {}
    func closed(_ context: UnsafeMutableRawPointer) {}
    func head(_ context: UnsafeMutableRawPointer) -> HTTP2Session.ResponseHead? { answer }
    func next(_ context: UnsafeMutableRawPointer, limit: Int) -> HTTP2Piece? { nil }
    func write(
        _ context: UnsafeMutableRawPointer,
        _ count: Int,
        to place: UnsafeMutablePointer<UInt8>
    ) -> Bool { false }

    /// Feeds frames behind the preface, in pieces that end flush against an unreadable page.
    func feed(_ frames: [HTTP2Frame], pieces: Int) {
        let bytes = HTTP2Frame.preface + HTTP2Frame.settings().bytes + frames.flatMap(\.bytes)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            let piece = GuardedBytes(bytes[start..<min(start + pieces, bytes.count)])
            withExtendedLifetime(piece) { session?.receive(piece.span, now: 0) }
        }
        var output = OutputBuffer(capacity: 1024)
        session?.write(to: &output, limit: .max)
        var rest = Array(output.bytes)
        while let frame = rest.takeFrame() {
            sent.append(frame)
            if frame.kind == .reset { outcome = .reset(frame.number ?? 0) }
            if frame.kind == .goAway { outcome = .goAway(frame.number ?? 0) }
        }
    }
}

/// Feeds frames whole and byte by byte, which must agree.
func serveHTTP2(
    _ frames: [HTTP2Frame],
    _ limits: HTTP2Limits = HTTP2Limits(),
    sourceLocation: SourceLocation = #_sourceLocation
) -> HTTP2Witness {
    let (whole, bytes) = (HTTP2Witness(limits), HTTP2Witness(limits))
    whole.feed(frames, pieces: .max / 2)
    bytes.feed(frames, pieces: 1)
    #expect(whole.outcome == bytes.outcome, sourceLocation: sourceLocation)
    #expect(whole.heads == bytes.heads, sourceLocation: sourceLocation)
    #expect(whole.isEnded == bytes.isEnded, sourceLocation: sourceLocation)
    return whole
}
