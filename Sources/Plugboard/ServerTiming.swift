import HTTPCodec
import HTTPServer
import Locking
import Tracing

/// What took the server how long, as a response's `Server-Timing` says where
/// ``Server/Configuration/serverTiming`` is on (W3C Server Timing §2).
///
/// The server's own members are `total`, `decode`, `action`, `encode` and `gzip`. An action or a
/// middleware adds more:
/// ```swift
/// let clock = ContinuousClock()
/// let took = try await clock.measure { try await database.read() }
/// ServerTiming.add("db", took)
/// ```
public enum ServerTiming {
    /// Adds a member to the response that the current task makes; nothing where that has none.
    ///
    /// - Parameters:
    ///   - name: a token (RFC 9110 §5.6.2), which everybody may read; anything else is left out.
    ///   - duration: how long it took.
    ///   - description: what a browser's tools show beside it; printable ASCII.
    public static func add(_ name: String, _ duration: Duration, description: String? = nil) {
        let (seconds, attoseconds) = duration.components
        let whole = Int(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let sum = whole.partialValue.addingReportingOverflow(Int(attoseconds / 1_000_000_000))
        guard !whole.overflow, !sum.overflow else { return }
        ServiceContext.current?.timings?.add(
            name,
            nanoseconds: sum.partialValue,
            description: description
        )
    }
}

/// The members of one response.
final class Timings: Sendable {
    /// The most members of a response.
    private static let limit = 32

    private struct State {
        var members: [String] = []
        /// The names of the steps that were noted: one that fails is noted once.
        var steps: Set<String> = []
        var began = 0
    }

    private let began = RequestSubject.now()
    private let state = Locked(State())

    /// Whether nothing was noted yet.
    var isEmpty: Bool { state.withLock { $0.members.isEmpty } }

    /// Begins a step, or one after another.
    func begin() {
        state.withLock { $0.began = RequestSubject.now() }
    }

    /// Ends a step, and begins the next one; a step that was told already is told no more.
    func lap(_ step: String) {
        let now = RequestSubject.now()
        let began = state.withLock { state -> Int? in
            defer { state.began = now }
            return state.steps.insert(step).inserted ? state.began : nil
        }
        if let began { add(step, nanoseconds: now - began) }
    }

    func add(_ name: String, nanoseconds: Int, description: String? = nil) {
        guard !name.isEmpty, name.utf8.allSatisfy(ByteClass.isToken) else { return }
        let member = Self.member(name, nanoseconds, description)
        state.withLock { if $0.members.count < Self.limit { $0.members.append(member) } }
    }

    /// The response with the field.
    func tell(_ response: Response) -> Response {
        let total = Self.member("total", RequestSubject.now() - began)
        let members = [total] + state.withLock { $0.members }
        var response = response
        response.fields += Response.fieldLines([
            ("Server-Timing", members.joined(separator: ", "))
        ])
        return response
    }

    /// `name;dur=1.234;desc="…"`: milliseconds.
    private static func member(
        _ name: String,
        _ nanoseconds: Int,
        _ description: String? = nil
    ) -> String {
        let microseconds = max(0, nanoseconds) / 1000
        let fraction = String(1000 + microseconds % 1000).dropFirst()
        var member = "\(name);dur=\(microseconds / 1000).\(fraction)"
        if let description {
            let printable = description.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }
            var text = ""
            for character in printable {
                if character == "\"" || character == "\\" { text += "\\" }
                text.unicodeScalars.append(character)
            }
            member += ";desc=\"\(text)\""
        }
        return member
    }
}

extension ServiceContext {
    /// Where the response in hand has its durations noted.
    var timings: Timings? {
        get { self[TimingsKey.self] }
        set { self[TimingsKey.self] = newValue }
    }
}

private enum TimingsKey: ServiceContextKey {
    typealias Value = Timings
    static var nameOverride: String? { "server-timing" }
}

/// A loop's responder that says how long its responses took.
///
/// It is there only where that is wanted.
final class TimedResponder: Responder {
    private let inner: ObservedResponder
    var bodyLimit: Int { inner.bodyLimit }

    init(_ inner: ObservedResponder) { self.inner = inner }

    func attach(_ loop: any ServingLoop) { inner.attach(loop) }

    func refused(_ error: ProtocolError) { inner.refused(error) }

    func admit(_ head: RequestHead) -> Admission {
        let timings = Timings()
        let admission = inner.admit(head)
        guard case .refuse(let response) = admission else { return admission }
        return .refuse(timings.tell(response))
    }

    func respond(_ head: RequestHead, body: ByteSpan) -> Reply {
        timing { inner.respond(head, body: body) }
    }

    func respond(_ head: RequestHead, stream: BodyStream) -> Reply {
        timing { inner.respond(head, stream: stream) }
    }

    private func timing(_ answer: () -> Reply) -> Reply {
        let timings = Timings()
        var context = ServiceContext.topLevel
        context.timings = timings
        switch ServiceContext.withValue(context, operation: answer) {
        case .now(let response): return .now(timings.tell(response))
        case .later(let work):
            return .later { [context] in
                timings.tell(await ServiceContext.withValue(context) { await work() })
            }
        }
    }
}
