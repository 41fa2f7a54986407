import HTTPSyntax
import HTTPServer
import Locking
import Tracing

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
        response.fields += ResponseFields([
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
