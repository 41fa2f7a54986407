import BehaviorStore
import HTTPSyntax
import HTTPServer
import Logging

/// The reports of apps' crash guards, from the field `Plugboard-Guard` of requests for documents.
///
/// Anyone may send such a field. So a report changes nothing but a count and a limited log.
struct GuardReports {
    static let field: StaticString = "plugboard-guard"
    /// The maximum number of reports of a request: that of an app's list.
    static let maximumItems = 32
    /// The maximum size of a field, in bytes.
    static let maximumSize = 16 << 10
    /// The maximum number of characters of a name or a revision in the log.
    static let maximumText = 200
    /// The maximum number of log lines of a loop in a minute.
    static let maximumLines = 20

    private var minute = 0
    private var lines = 0

    /// Counts and logs the reports of a request.
    mutating func receive(_ head: RequestHead, _ live: LiveBehavior, _ logger: Logger, now: Int) {
        guard let value = head.field(Self.field) else { return }
        guard value.count <= Self.maximumSize, head.count(of: Self.field) == 1,
            let items = StructuredItem.list(value, maximum: Self.maximumItems)
        else { return live.count(.invalid) }
        for item in items {
            guard let kind = GuardReportKind(rawValue: item.text), kind != .invalid,
                let revision = item.parameters["revision"]
            else {
                live.count(.invalid)
                continue
            }
            live.count(kind)
            guard mayLog(now: now, logger) else { continue }
            var metadata: Logger.Metadata = ["revision": "\(revision.prefix(Self.maximumText))"]
            for name in ["module", "function", "source"] {
                guard let text = item.parameters[name] else { continue }
                metadata[name] = "\(text.prefix(Self.maximumText))"
            }
            logger.warning("an app reports a \(kind.rawValue) by its behavior", metadata: metadata)
        }
    }

    /// Returns whether a further line may be logged; logs once that the limit is reached.
    private mutating func mayLog(now: Int, _ logger: Logger) -> Bool {
        if now / 60 != minute { (minute, lines) = (now / 60, 0) }
        lines += 1
        if lines == Self.maximumLines + 1 {
            logger.warning(
                "more reports of apps are not logged in this minute; plugboard_behavior_guard_reports counts them"
            )
        }
        return lines <= Self.maximumLines
    }
}
