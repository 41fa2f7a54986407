package import Behaviors
import JSONCodec
package import JSONPatch

/// The changes between two behavior documents: as sentences, and as a JSON Patch.
///
/// ```
/// module Banner: action sparkle is for 20 % now, was 10 %
/// module Footer: added at place 3, with 2 actions
/// ```
package struct BehaviorDifference: Sendable {
    /// A line for each change, in the documents' order: removed parts first, then current ones.
    package let lines: [String]
    /// The patch that turns the old document into the new one.
    package let patch: Patch

    /// Whether the documents are equal, apart from the text's layout.
    package var isEmpty: Bool { patch.operations.isEmpty }

    /// Compares two documents.
    package init(from old: AuthoredBehavior, to new: AuthoredBehavior) {
        patch = Patch(from: old.json, to: new.json)
        var narrator = ChangeDescriber()
        if !patch.operations.isEmpty {
            narrator.compare(old.segments, new.segments)
            narrator.compare(old.document.modules, new.document.modules)
        }
        lines = narrator.lines
    }
}

/// Describes changes, a line each.
private struct ChangeDescriber {
    private(set) var lines: [String] = []
    private var numbers: [JSON: Int] = [:]

    mutating func compare(_ old: JSON.Object, _ new: JSON.Object) {
        for (name, rule) in old where new[name] == nil {
            lines.append("segment \(name): removed, was \(RuleDescription(rule))")
        }
        for (name, rule) in new where old[name] != rule {
            if let before = old[name] {
                lines.append(
                    "segment \(name) is \(RuleDescription(rule)) now, was \(RuleDescription(before))"
                )
            } else {
                lines.append("segment \(name): added, \(RuleDescription(rule))")
            }
        }
    }

    mutating func compare(_ old: [BehaviorModule], _ new: [BehaviorModule]) {
        let alignment = Alignment(
            old.map { element($0.json, $0.name) },
            new.map { element($0.json, $0.name) }
        )
        let oldNames = Names("module", old.map(\.name))
        let newNames = Names("module", new.map(\.name))
        for (place, module) in old.enumerated() where alignment.isGone[place] {
            lines.append("\(oldNames[place]): removed, with \(Self.count(module.actions.count))")
        }
        for (place, module) in new.enumerated() {
            let name = newNames[place]
            guard let origin = alignment.origins[place] else {
                let actions = Self.count(module.actions.count)
                let rule = module.others["when"].map { ", for \(RuleDescription($0))" } ?? ""
                lines.append("\(name): added at place \(place + 1), with \(actions)\(rule)")
                continue
            }
            if alignment.isMoved[place] {
                lines.append("\(name): moved from place \(origin + 1) to place \(place + 1)")
            }
            let before = old[origin]
            compare(before.others, module.others, "\(name) ", of: "\(name)'s ")
            compare(before.actions, module.actions, in: name)
        }
    }

    private mutating func compare(
        _ old: [BehaviorAction],
        _ new: [BehaviorAction],
        in module: String
    ) {
        guard old != new else { return }
        let alignment = Alignment(
            old.map { element($0.json, $0.function) },
            new.map { element($0.json, $0.function) }
        )
        let oldNames = Names("action", old.map(\.function))
        let newNames = Names("action", new.map(\.function))
        for place in old.indices where alignment.isGone[place] {
            lines.append("\(module): \(oldNames[place]) removed")
        }
        for (place, action) in new.enumerated() {
            let name = "\(module): \(newNames[place])"
            guard let origin = alignment.origins[place] else {
                let value = action.value.map { ", with the value \(RuleDescription.cut($0))" } ?? ""
                let rule = action.others["when"].map { ", for \(RuleDescription($0))" } ?? ""
                lines.append("\(name) added at place \(place + 1)\(value)\(rule)")
                continue
            }
            if alignment.isMoved[place] {
                lines.append("\(name) moved from place \(origin + 1) to place \(place + 1)")
            }
            compareValues(old[origin].value, action.value, name)
            compare(old[origin].others, action.others, "\(name) ", of: "\(name)'s ")
        }
    }

    private mutating func compareValues(_ old: JSON?, _ new: JSON?, _ name: String) {
        guard old != new else { return }
        let before = old.map { "was \(RuleDescription.cut($0))" } ?? "had none"
        let after = new.map { "has the value \(RuleDescription.cut($0)) now" } ?? "has no value now"
        lines.append("\(name) \(after), \(before)")
    }

    /// Compares the members that aren't specific to modules or actions, such as the rule.
    private mutating func compare(
        _ old: JSON.Object,
        _ new: JSON.Object,
        _ name: String,
        of owner: String
    ) {
        let gone = old.filter { new[$0.name] == nil }.map(\.name)
        for member in gone + new.names {
            let (before, after) = (old[member], new[member])
            guard before != after else { continue }
            if member == "when" {
                lines.append(
                    "\(name)is for \(RuleDescription(after)) now, was \(RuleDescription(before))"
                )
            } else if let after {
                let before = before.map { "was \(RuleDescription.cut($0))" } ?? "there was none"
                lines.append("\(owner)\(member) is \(RuleDescription.cut(after)) now, \(before)")
            } else {
                let before = before.map { ", was \(RuleDescription.cut($0))" } ?? ""
                lines.append("\(owner)\(member) is gone\(before)")
            }
        }
    }

    private mutating func element(_ json: JSON, _ name: String) -> Alignment.Element {
        Alignment.Element(number: number(json), label: [number(.string(name))])
    }

    private mutating func number(_ json: JSON) -> Int {
        if let known = numbers[json] { return known }
        let number = numbers.count
        numbers[json] = number
        return number
    }

    private static func count(_ actions: Int) -> String {
        actions == 1 ? "1 action" : "\(actions) actions"
    }
}

/// The names of modules or actions, with their positions if several share a name.
private struct Names {
    private let kind: String
    private let names: [String]
    private let counts: [String: Int]

    init(_ kind: String, _ names: [String]) {
        self.kind = kind
        self.names = names
        counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    }

    subscript(place: Int) -> String {
        let name = "\(kind) \(names[place])"
        return counts[names[place], default: 1] > 1 ? "\(name) at place \(place + 1)" : name
    }
}
