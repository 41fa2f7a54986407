import BehaviorStore
import Plugboard

// A revision on the terminal: in one line, or with all details.

extension BehaviorsCommand {
    /// Prints a revision in one line.
    static func show(_ one: RevisionReport) {
        let words = [one.message, one.origin?.words].compactMap(\.self)
        // The origin's text is also the default message: print it once.
        let shown = words.first == words.last ? Array(words.prefix(1)) : words
        Output.print(
            ([
                "\(one.revision)", one.state, one.times, String(one.digest.prefix(12)),
                one.authorName ?? one.author,
            ] + shown + one.events).joined(separator: "  ")
        )
    }

    /// Prints a revision with a line for each detail.
    static func showDetails(_ one: RevisionReport) {
        Output.print("\(one.name) in \(one.environment)  revision \(one.revision)  \(one.state)")
        Output.print("made  \(one.created)  by \(one.authorName ?? one.author)")
        if let wentLive = one.wentLive {
            Output.print("\(one.state == "live" ? "live since" : "live from")  \(wentLive)")
        }
        Output.print("digest  \(one.digest)  \(one.size) bytes")
        if let message = one.message { Output.print("message  \(message)") }
        if let origin = one.origin { Output.print("origin  \(origin.words)") }
        for approval in one.approvals ?? [] {
            Output.print("approved  \(approval.at)  by \(approval.shown)")
        }
        if let discarded = one.discarded {
            Output.print("discarded  \(discarded.at)  by \(discarded.shown)")
        }
        for schedule in one.schedules ?? [] {
            let reason = schedule.reason.map { ": \($0)" } ?? ""
            Output.print(
                "scheduled  \(schedule.at)  by \(schedule.name ?? schedule.by)  "
                    + "\(schedule.state)\(reason)"
            )
        }
    }
}

extension RevisionReport {
    /// When it was made, and when it went live if that was later.
    fileprivate var times: String {
        guard let wentLive, wentLive != created else { return created }
        return "made \(created), live \(state == "live" ? "since" : "from") \(wentLive)"
    }

    /// The events after it was made, a phrase each.
    fileprivate var events: [String] {
        (approvals ?? []).map { "approved by \($0.shown)" }
            + (discarded.map { ["discarded by \($0.shown)"] } ?? [])
            + (schedules ?? []).map { schedule in
                let reason = schedule.reason.map { ": \($0)" } ?? ""
                return "scheduled for \(schedule.at) by \(schedule.name ?? schedule.by), "
                    + "\(schedule.state)\(reason)"
            }
    }
}

extension ApprovalReport {
    /// The author's name, and the comment.
    var shown: String { (name ?? by) + (message.map { ": \($0)" } ?? "") }
}
