import System
import Glibc
import HTTPSyntax
import Locking

@testable import HTTPServer

/// A test's controls and records of its server's responses.
final class Stage: Sendable {
    private struct State {
        var signals: [String: Signal] = [:]
        var answered = 0
        var responders: Set<ObjectIdentifier> = []
    }

    private let state = Locked(State())
    /// The file that `/file` returns.
    let file: FileDescriptor?

    init(file: FileDescriptor? = nil) {
        self.file = file
    }

    /// The signal of that name; `/later/NAME` gives `NAME begun` and waits for `NAME`.
    func signal(_ name: String) -> Signal {
        state.withLock { state in
            if let signal = state.signals[name] { return signal }
            let signal = Signal()
            state.signals[name] = signal
            return signal
        }
    }

    /// How many requests came to a responder.
    var answered: Int { state.withLock { $0.answered } }
    /// How many of the loops' responders were asked.
    var responders: Int { state.withLock { $0.responders.count } }

    fileprivate func count(_ responder: TestResponder) {
        state.withLock { state in
            state.answered += 1
            state.responders.insert(ObjectIdentifier(responder))
        }
    }
}

extension Locked<Int> {
    /// Takes one, and returns what there was.
    fileprivate func take() -> Int {
        withLock { left in
            defer { left -= 1 }
            return left
        }
    }
}

/// Answers by the path's first word: `/echo`, `/later/NAME[/COUNT]`, `/now/NAME`, `/bytes/COUNT`,
/// `/file[/START-END]`, `/block/NAME`, `/close`, `/pieces/COUNT/SIZE`, `/step/NAME`, `/beat/NAME`,
/// `/broken`, `/place`, `/uri`, `/client`, `/peer`, `/socket`, `/address/NAME`,
/// `/admitted`; `/refuse` is rejected.
final class TestResponder: Responder, Sendable {
    let bodyLimit = 1000
    /// The body limit of `/large`.
    static let largeLimit = 4 * 1024 * 1024
    private let stage: Stage

    init(_ stage: Stage) {
        self.stage = stage
    }

    func attach(_ counters: LoopCounters) {}

    func rejected(_ error: ProtocolError, from peer: Peer) {
        stage.signal("rejected \(peer.address?.description ?? "none")").give()
    }

    func admit(_ request: borrowing IncomingRequest) -> Admission {
        switch request.head.path.text {
        case "/refuse": .reject(.now(Response(status: 403, body: .bytes(Array("refused".utf8)))))
        case "/refuse/later": .reject(later("refused", nil))
        case "/large": .collect(upTo: Self.largeLimit, nil)
        case "/admitted": .collect(upTo: Self.largeLimit, Name(request.head.field("x-name")))
        case "/stream": .stream(upTo: Self.largeLimit, nil)
        default: .collect(upTo: bodyLimit, nil)
        }
    }

    /// The notes of `/admitted` about a request's head until its body has arrived.
    private final class Name: AdmittedRequest {
        let text: String

        init(_ value: ByteSpan?) { text = value?.text ?? "" }
    }

    func respond(_ request: borrowing IncomingRequest, body: ByteSpan) -> Reply {
        let head = request.head
        stage.count(self)
        let path = head.path.text.split(separator: "/").map(String.init)
        let argument = path.count > 1 ? path[1] : ""
        switch path.first ?? "" {
        case "echo": return .now(text(body.text))
        case "admitted":
            let name = (request.admitted as? Name)?.text ?? "none"
            return .now(text("\(name) \(head.field("x-name")?.text ?? "") \(body.count)"))
        case "large": return .now(text(String(body.count)))
        case "later":
            let count = path.count > 2 ? Int(path[2]) : nil
            return later(argument, count.map { [UInt8](repeating: 0x6C, count: $0) })
        case "now": return .later { [answer = text(argument)] in answer }
        case "bytes":
            let body = [UInt8](repeating: 0x62, count: Int(argument) ?? 0)
            return .now(Response(status: 200, body: .bytes(body)))
        case "file": return .now(file(argument))
        case "pieces":
            let size = path.count > 2 ? Int(path[2]) ?? 1 : 1
            return .now(pieces(Int(argument) ?? 0, size: size))
        case "step": return .later { [answer = steps(argument, heartbeat: nil)] in answer }
        case "beat":
            return .later { [answer = steps(argument, heartbeat: Array("*".utf8))] in answer }
        case "watched":
            let isOver = stage.signal("\(argument) over")
            let comes = stage.signal("\(argument) comes")
            let answer = stream(heartbeat: Array("*".utf8), goesOn: { !isOver.isGiven }) {
                // It heeds no cancelling.
                _ = await Task.detached { await comes.wait() }.value
                return Array("late".utf8)
            }
            return .later { answer }
        case "broken":
            let left = Locked(1)
            return .now(
                stream {
                    guard left.take() > 0 else { throw SystemError("read", code: EIO) }
                    return Array("begun".utf8)
                }
            )
        case "client":
            guard let details = request.peer.certificate?.details else { return .now(text("none")) }
            let names = details.names.map { "\($0)" }.joined(separator: " ")
            return .now(text("\(details.subject) | \(names) | \(details.fingerprint)"))
        case "address":
            stage.signal(request.peer.address?.description ?? "none").give()
            return .now(text(argument))
        case "peer": return .now(text(request.peer.address?.description ?? "none"))
        case "socket":
            return .now(text("\(request.peer.socket ?? -1)"))
        case "place":
            return .now(text(request.peer.isReserved ? "reserved" : "within the limit"))
        case "uri":
            let query = head.query.map { "?" + $0.text } ?? ""
            let uri = "\(head.scheme)://\(head.authority.text)\(head.path.text)\(query)"
            return .now(text("\(head.methodName.text) \(uri)"))
        case "block":
            block(argument)
            return .now(text(argument))
        case "close":
            var response = text("closing")
            response.closes = true
            return .now(response)
        default: return .now(text(head.path.text))
        }
    }

    func respond(_ request: borrowing IncomingRequest, stream: BodyStream) -> Reply {
        let head = request.head
        let address = request.peer.address?.description ?? "none"
        stage.count(self)
        if head.field("x-echo") != nil {
            return .later { self.stream { try await stream.next() } }
        }
        if head.field("x-peer") != nil {
            return .later { [answer = text(address)] in
                while (try? await stream.next()) != nil {}
                return answer
            }
        }
        let held = head.field("x-hold")?.text
        return .later { [stage] in
            if let held {
                stage.signal("\(held) begun").give()
                if await !stage.signal(held).wait() { stage.signal("\(held) cancelled").give() }
            }
            var count = 0
            do {
                while let piece = try await stream.next() { count += piece.count }
            } catch {
                stage.signal("stream cancelled").give()
                return Response(status: 500)
            }
            return Response(status: 200, body: .bytes(Array(String(count).utf8)))
        }
    }

    private func text(_ text: String) -> Response {
        Response(status: 200, body: .bytes(Array(text.utf8)))
    }

    private func stream(
        heartbeat: [UInt8]? = nil,
        goesOn: (@Sendable () -> Bool)? = nil,
        _ next: @escaping @Sendable () async throws -> [UInt8]?
    ) -> Response {
        let stream = ResponseStream(heartbeat: heartbeat, goesOn: goesOn, next: next)
        return Response(status: 200, body: .stream(stream))
    }

    /// So many pieces, each of so many bytes.
    private func pieces(_ count: Int, size: Int) -> Response {
        let left = Locked(count)
        let made = stage
        return stream {
            guard left.take() > 0 else {
                made.signal("all made").give()
                return nil
            }
            made.signal("first made").give()
            return [UInt8](repeating: 0x70, count: size)
        }
    }

    /// The pieces "NAME1", "NAME2"… each when its signal of that name is given; "NAME9" is the end.
    private func steps(_ name: String, heartbeat: [UInt8]?) -> Response {
        let next = Locked(9)
        return stream(heartbeat: heartbeat) { [stage] in
            let step = name + String(10 - next.take())
            stage.signal(step + " begun").give()
            guard await stage.signal(step).wait() else {
                stage.signal(name + " cancelled").give()
                throw CancellationError()
            }
            return step.hasSuffix("9") ? nil : Array(step.utf8)
        }
    }

    private func later(_ name: String, _ bytes: [UInt8]?) -> Reply {
        let (begun, signal) = (stage.signal("\(name) begun"), stage.signal(name))
        let cancelled = stage.signal("\(name) cancelled")
        let answer = bytes.map { Response(status: 200, body: .bytes($0)) } ?? text(name)
        return .later {
            begun.give()
            if await !signal.wait() { cancelled.give() }
            return answer
        }
    }

    private func file(_ range: String) -> Response {
        guard let file = stage.file else { return Response(status: 404) }
        let bounds = range.split(separator: "-").compactMap { Int($0) }
        var status = stat()
        fstat(file.raw, &status)
        let range = bounds.count == 2 ? bounds[0]..<bounds[1] : 0..<Int(status.st_size)
        return Response(status: 200, body: .file(FileBody(descriptor: file, range: range)))
    }

    /// Blocks the loop until the test signals it.
    private func block(_ name: String) {
        stage.signal("\(name) begun").give()
        let signal = stage.signal(name)
        while !signal.isGiven { sched_yield() }
    }
}
