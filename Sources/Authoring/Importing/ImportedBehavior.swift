package import Behaviors
import JSONCodec
import Targeting

/// The result of importing another system's export: a document, and the problems found.
///
/// Unsupported parts are for nobody: an unknown strategy never enables a flag.
package struct ImportedBehavior: Sendable {
    /// The document: a module for each flag; the module calls the function `set` with a variant's
    /// value.
    package var document: BehaviorDocument
    /// The problems and differences, in the export's order.
    package var findings: [ImportFinding]

    /// Whether a server accepts the document.
    ///
    /// A part that can't be imported doesn't prevent it.
    package var isPublishable = true

    /// Whether a part couldn't be imported.
    package var hasErrors: Bool { findings.contains { $0.isError } }

    /// The function that is called with a flag's value.
    package static let function = "set"
}

/// A problem or difference at a place in an export.
package struct ImportFinding: Hashable, Sendable, CustomStringConvertible {
    /// Whether a part couldn't be imported and applies to no user.
    ///
    /// Otherwise the part was imported with another meaning, or ignored.
    package var isError: Bool
    /// The place in the export, a JSON Pointer.
    package var pointer: String
    /// The problem, in words.
    package var message: String

    /// The kind, the place and the message: `error: /features/0/strategies/1/name: …`.
    package var description: String {
        "\(isError ? "error" : "warning"): \(pointer.isEmpty ? "" : "\(pointer): ")\(message)"
    }
}

/// Collects the findings of an import.
struct ImportNotes {
    private(set) var findings: [ImportFinding] = []
    private var reported: Set<String> = []

    mutating func error(_ place: ImportPlace, _ message: String) {
        findings.append(ImportFinding(isError: true, pointer: place.pointer, message: message))
    }

    mutating func warning(_ place: ImportPlace, _ message: String) {
        findings.append(ImportFinding(isError: false, pointer: place.pointer, message: message))
    }

    /// Adds a warning unless there is an equal one already.
    mutating func warnOnce(_ place: ImportPlace, _ message: String) {
        if reported.insert(message).inserted { warning(place, message) }
    }

    /// Warns of each unknown member that it is ignored, once for each name.
    mutating func checkMembers(of place: ImportPlace, known: Set<String>, _ owner: String) {
        for (name, _) in place.json.object ?? [:] where !known.contains(name) {
            warnOnce(place[name], "\(owner)'s \(name) is ignored")
        }
    }

    /// Checks the resulting document as a server checks a publication: an export may exceed a
    /// document's limits.
    mutating func finish(_ modules: [BehaviorModule]) -> ImportedBehavior {
        let document = BehaviorDocument(modules: modules)
        let bytes = document.json.encoded(pretty: true)
        var problems: [String] = []
        if bytes.count > BehaviorDocument.maximumSize {
            problems = ["it has \(bytes.count) bytes; a document has 1 MiB at most"]
        } else {
            do throws(InvalidBehavior) {
                _ = try TargetedBehavior(json: bytes)
            } catch {
                problems = error.problems.map { "\($0.pointer): \($0.message)" }
            }
        }
        findings += problems.map {
            ImportFinding(isError: true, pointer: "", message: "in the resulting document: \($0)")
        }
        return ImportedBehavior(
            document: document,
            findings: findings,
            isPublishable: problems.isEmpty
        )
    }
}

/// A value of an export and its JSON Pointer.
struct ImportPlace {
    let json: JSON
    let pointer: String

    init(_ json: JSON, _ pointer: String = "") {
        self.json = json
        self.pointer = pointer
    }

    /// Returns a member; null if it is missing.
    subscript(_ name: String) -> ImportPlace {
        ImportPlace(json[name] ?? .null, pointer + "/" + JSONPointer.escaped(name))
    }

    /// The elements; none if it is no array.
    var elements: [ImportPlace] {
        (json.array ?? []).enumerated().map { ImportPlace($1, "\(pointer)/\($0)") }
    }

    /// The members; none if it is no object.
    var members: [(name: String, place: ImportPlace)] {
        (json.object ?? [:]).map { ($0.name, self[$0.name]) }
    }

    /// The text; nil if it is empty or no text.
    var text: String? { json.string.flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether the value is missing or null.
    var isAbsent: Bool { json == .null }
}

extension JSON {
    /// An operation.
    static func operation(_ name: String, _ operands: JSON...) -> JSON {
        .object([name: .array(operands)])
    }

    /// Returns an operation that reads the value at a path.
    static func variable(_ path: String) -> JSON { ["var": .string(path)] }

    /// Returns the negation of a rule; constants are negated directly.
    static func not(_ rule: JSON) -> JSON {
        if case .bool(let value) = rule { return .bool(!value) }
        return ["!": rule]
    }

    /// Returns the conjunction of rules; `true` if there is none.
    static func all(_ rules: [JSON]) -> JSON {
        let rules = rules.filter { $0 != true }
        if rules.contains(false) { return false }
        return rules.count > 1 ? ["and": .array(rules)] : rules.first ?? true
    }

    /// Returns the disjunction of rules; `false` if there is none.
    static func any(_ rules: [JSON]) -> JSON {
        let rules = rules.filter { $0 != false }
        if rules.contains(true) { return true }
        return rules.count > 1 ? ["or": .array(rules)] : rules.first ?? false
    }
}

extension BehaviorAction {
    /// Makes the action that sets a value for the users of a rule.
    init(setting value: JSON, when rule: JSON) {
        self.init(
            function: ImportedBehavior.function,
            value: value,
            others: rule == true ? [:] : ["when": rule]
        )
    }
}
