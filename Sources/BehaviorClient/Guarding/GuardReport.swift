/// A decision of the crash guard, which the next fetch reports to the server.
public struct GuardReport: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The kinds of decisions.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// The previous run crashed.
        case crash
        /// The module no longer runs in this revision.
        case quarantine
        /// Another document replaces the newest one.
        case fallback
    }

    /// The kind.
    public var kind: Kind
    /// The revision that crashed: a digest of the document's bytes.
    public var revision: String
    /// The module that was running; nil if none was.
    public var module: String?
    /// The function that was running, or `init`.
    public var function: String?
    /// The document that replaces the newest one; nil for another kind.
    public var source: DocumentSource?

    /// The decision in words: `quarantine of Banner (Banner.show) in 1f2e-120`.
    public var description: String {
        let call = module.map { " (\($0).\(function ?? ""))" } ?? ""
        switch kind {
        case .crash: return "crash\(call) in \(revision)"
        case .quarantine: return "quarantine of \(module ?? "")\(call) in \(revision)"
        case .fallback: return "fallback to \(source?.rawValue ?? "")\(call) from \(revision)"
        }
    }

    /// The decision as an item of the field `Plugboard-Guard` (RFC 9651 §3.1).
    package var fieldItem: String {
        var item = "\(kind.rawValue);revision=\(Self.quoted(revision))"
        if let module { item += ";module=\(Self.quoted(module))" }
        if let function { item += ";function=\(Self.quoted(function))" }
        if let source { item += ";source=\(source.rawValue)" }
        return item
    }

    /// Returns a text as a quoted string; a character that it can't carry becomes `?`.
    private static func quoted(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "\"") { quoted, scalar in
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case " "..."~": quoted.unicodeScalars.append(scalar)
            default: quoted += "?"
            }
        } + "\""
    }
}
