/// The allowed results of a case: the number of final responses, their statuses, and the ending.
///
/// It is compared with a complete `Observation`, so alternatives (`oneOf`) cost nothing.
enum Expectation: Sendable, CustomStringConvertible {
    enum Ending: Sendable {
        /// It said `Connection: close` and closed.
        case closed
        /// A further request on the same connection was answered, and with its own answer.
        case open
        /// Either of the two, as announced.
        case either
    }

    case finals([Set<Int>], Ending)
    case closesWithoutResponse
    case oneOf([Expectation])

    static func status(_ status: Int, closes: Bool = false) -> Expectation {
        .finals([[status]], closes ? .closed : .open)
    }

    static func status(in statuses: Set<Int>, _ ending: Ending = .either) -> Expectation {
        .finals([statuses], ending)
    }

    static func statuses(_ statuses: [Int], closes: Bool = false) -> Expectation {
        .finals(statuses.map { [$0] }, closes ? .closed : .open)
    }

    /// The answer to every breach of the grammar: one 400, told and done.
    static let refused = Expectation.status(400, closes: true)

    /// Served and in step, or refused: where the RFC leaves both to the recipient.
    static func servedOrRefused(_ status: Int = 200) -> Expectation {
        .oneOf([.status(status), .refused])
    }

    /// Responses to wait for before the connection is probed.
    var fewestAnswers: Int {
        switch self {
        case .finals(let statuses, _): statuses.count
        case .closesWithoutResponse: 0
        case .oneOf(let choices): choices.map(\.fewestAnswers).min() ?? 0
        }
    }

    var description: String {
        switch self {
        case .finals(let statuses, let ending):
            let list = statuses.map { $0.sorted().map(String.init).joined(separator: "|") }
            return list.joined(separator: ", ") + " (then \(ending))"
        case .closesWithoutResponse: return "close, no response"
        case .oneOf(let choices): return choices.map(\.description).joined(separator: "  or  ")
        }
    }

    /// The reason why the observation violates the expectation; nil if it meets it.
    func complaint(about seen: Observation) -> String? {
        switch self {
        case .oneOf(let choices):
            let complaints = choices.map { $0.complaint(about: seen) }
            if complaints.contains(nil) { return nil }
            return complaints.first ?? "no alternative given"
        case .closesWithoutResponse:
            if !seen.answers.isEmpty { return "answered \(seen.statuses)" }
            return seen.end == .stillOpen ? "the connection is still open" : nil
        case .finals(let statuses, let ending):
            return Self.complaint(about: seen, statuses, ending)
        }
    }

    private static func complaint(
        about seen: Observation,
        _ statuses: [Set<Int>],
        _ ending: Ending
    ) -> String? {
        guard seen.answers.count == statuses.count else {
            return "\(seen.answers.count) final responses \(seen.statuses), \(seen.end)"
        }
        for (answer, allowed) in zip(seen.answers, statuses) where !allowed.contains(answer.status)
        {
            return "answered \(seen.statuses)"
        }
        let isOpen = seen.probed && seen.probeAnswered
        switch ending {
        case .open where !isOpen:
            if !seen.probed, seen.end == .stillOpen { return "not answered in time" }
            return seen.probed
                ? "no correct answer to a further request on the connection: \(seen.end)"
                : "it closed a connection that has no reason to close"
        case .closed where seen.probed:
            return "the last response does not say `Connection: close`, \(seen.end)"
        case .either where seen.probed && !isOpen:
            return "neither announced to close nor answered a further request: \(seen.end)"
        default:
            return seen.end == .stillOpen ? "said `close` and stays open" : nil
        }
    }
}
