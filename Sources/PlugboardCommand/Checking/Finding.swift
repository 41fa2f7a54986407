/// The result of one check of `doctor`.
struct Finding: Equatable, Sendable {
    /// The kinds of results, by their weight.
    enum Status: String, Comparable, Sendable {
        case ok, warning, error

        static func < (one: Status, other: Status) -> Bool { one.weight < other.weight }

        private var weight: Int {
            switch self {
            case .ok: 0
            case .warning: 1
            case .error: 2
            }
        }
    }

    /// The name of the check, such as `data folder`.
    let check: String
    let status: Status
    /// The checked thing with its figure, and what is wrong with it.
    let message: String
    /// The remedy; nil if nothing is wrong, or if the message has it.
    let remedy: String?

    static func ok(_ check: String, _ message: String) -> Finding {
        Finding(check: check, status: .ok, message: message, remedy: nil)
    }

    static func warning(_ check: String, _ message: String, do remedy: String? = nil) -> Finding {
        Finding(check: check, status: .warning, message: message, remedy: remedy)
    }

    static func error(_ check: String, _ message: String, do remedy: String? = nil) -> Finding {
        Finding(check: check, status: .error, message: message, remedy: remedy)
    }

    /// The message and the remedy as sentences.
    var text: String {
        guard let remedy else { return message }
        let isSentence = message.last.map { ".?".contains($0) } ?? false
        return message + (isSentence ? " " : ". ") + remedy
    }
}
