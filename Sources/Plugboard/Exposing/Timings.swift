import HTTPSyntax
import HTTPServer
import Locking
import Tracing

/// The `Server-Timing` members of one response.
final class Timings: Sendable {
    /// The limit on members of a response.
    private static let limit = 32

    private struct State {
        var members: [String] = []
        /// The recorded steps, because a failed step ends twice.
        var steps: Set<String> = []
        var began = 0
    }

    private let began = RequestSubject.now()
    private let state = Locked(State())

    /// Whether nothing has been recorded.
    var isEmpty: Bool { state.withLock { $0.members.isEmpty } }

    /// Starts a step.
    func begin() {
        state.withLock { $0.began = RequestSubject.now() }
    }

    /// Ends a step and starts the next one; records only the first end of a step.
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

    /// Adds the `Server-Timing` field to a response.
    func tell(_ response: Response) -> Response {
        let total = Self.member("total", RequestSubject.now() - began)
        let members = [total] + state.withLock { $0.members }
        var response = response
        response.fields += ResponseFields([
            ("Server-Timing", members.joined(separator: ", "))
        ])
        return response
    }

    /// A member, `name;dur=1.234;desc="…"`, in milliseconds.
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
    /// The timings of the current response.
    var timings: Timings? {
        get { self[TimingsKey.self] }
        set { self[TimingsKey.self] = newValue }
    }
}

private enum TimingsKey: ServiceContextKey {
    typealias Value = Timings
    static var nameOverride: String? { "server-timing" }
}
