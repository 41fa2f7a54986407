package import Behaviors
import JSONCodec
import Targeting

/// What became of another system's export: a document, and all that couldn't be taken as it was.
///
/// What can't be taken is for nobody: a strategy that isn't known never lets anybody in.
package struct ImportedBehavior: Sendable {
    /// The document: a module for each flag, in it the function `set` with the value of each variant.
    package var document: BehaviorDocument
    /// What couldn't be taken, and what is otherwise here, in the export's order.
    package var findings: [ImportFinding]

    /// Whether something couldn't be taken.
    package var hasErrors: Bool { findings.contains { $0.isError } }

    /// The function that is called with the value of a flag.
    package static let function = "set"
}

/// Something that an import has to say of a place in an export.
package struct ImportFinding: Hashable, Sendable, CustomStringConvertible {
    /// Whether something couldn't be taken and is for nobody; else it was taken and is otherwise
    /// here, or has no place here and no effect.
    package var isError: Bool
    /// The place in the export, a JSON Pointer.
    package var pointer: String
    /// What is the matter, in words.
    package var message: String

    /// The kind, the place and the message: `error: /features/0/strategies/1/name: …`.
    package var description: String {
        "\(isError ? "error" : "warning"): \(pointer.isEmpty ? "" : "\(pointer): ")\(message)"
    }
}

/// Collects what an import has to say.
struct ImportNotes {
    private(set) var findings: [ImportFinding] = []
    private var told: Set<String> = []

    mutating func error(_ place: ImportPlace, _ message: String) {
        findings.append(ImportFinding(isError: true, pointer: place.pointer, message: message))
    }

    mutating func warning(_ place: ImportPlace, _ message: String) {
        findings.append(ImportFinding(isError: false, pointer: place.pointer, message: message))
    }

    /// Says the same only once, at the first place.
    mutating func warnOnce(_ place: ImportPlace, _ message: String) {
        if told.insert(message).inserted { warning(place, message) }
    }

    /// Says of each member that isn't known that it has no place here; of each name once.
    mutating func checkMembers(of place: ImportPlace, known: Set<String>, _ owner: String) {
        for (name, _) in place.json.object ?? [:] where !known.contains(name) {
            warnOnce(place[name], "\(owner)'s \(name) has no place in a document")
        }
    }

    /// Checks the document that was made, whose bounds the export may go beyond.
    mutating func finish(_ modules: [BehaviorModule]) -> ImportedBehavior {
        let document = BehaviorDocument(modules: modules)
        do throws(InvalidBehavior) {
            _ = try TargetedBehavior(json: document.encoded())
        } catch {
            for problem in error.problems {
                findings.append(
                    ImportFinding(
                        isError: true,
                        pointer: "",
                        message: "in the document that was made: \(problem.pointer): "
                            + problem.message
                    )
                )
            }
        }
        return ImportedBehavior(document: document, findings: findings)
    }
}

/// A value of an export together with the way to it.
struct ImportPlace {
    let json: JSON
    let pointer: String

    init(_ json: JSON, _ pointer: String = "") {
        self.json = json
        self.pointer = pointer
    }

    /// A member, null where there is none.
    subscript(_ name: String) -> ImportPlace {
        ImportPlace(json[name] ?? .null, pointer + "/" + JSONPointer.escaped(name))
    }

    /// The elements, none where it is no array.
    var elements: [ImportPlace] {
        (json.array ?? []).enumerated().map { ImportPlace($1, "\(pointer)/\($0)") }
    }

    /// The members, none where it is no object.
    var members: [(name: String, place: ImportPlace)] {
        (json.object ?? [:]).map { ($0.name, self[$0.name]) }
    }

    /// The text, where it is one that isn't empty.
    var text: String? { json.string.flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether nothing is there.
    var isAbsent: Bool { json == .null }
}

extension JSON {
    /// An operation.
    static func operation(_ name: String, _ operands: JSON...) -> JSON {
        .object([name: .array(operands)])
    }

    /// What lies along a path.
    static func variable(_ path: String) -> JSON { ["var": .string(path)] }

    /// The opposite of a rule, with `true` and `false` told.
    static func not(_ rule: JSON) -> JSON {
        if case .bool(let value) = rule { return .bool(!value) }
        return ["!": rule]
    }

    /// All of the rules, `true` where there is none.
    static func all(_ rules: [JSON]) -> JSON {
        let rules = rules.filter { $0 != true }
        if rules.contains(false) { return false }
        return rules.count > 1 ? ["and": .array(rules)] : rules.first ?? true
    }

    /// Any of the rules, `false` where there is none.
    static func any(_ rules: [JSON]) -> JSON {
        let rules = rules.filter { $0 != false }
        if rules.contains(true) { return true }
        return rules.count > 1 ? ["or": .array(rules)] : rules.first ?? false
    }
}

extension BehaviorAction {
    /// The action that sets a value, for those whom a rule is for.
    init(setting value: JSON, when rule: JSON) {
        self.init(
            function: ImportedBehavior.function,
            value: value,
            others: rule == true ? [:] : ["when": rule]
        )
    }
}
