import Behaviors
import JSONCodec

/// An unknown member of a module or an action that is probably a misspelt `when`.
///
/// Apps get it like any unknown member, and it restricts nothing.
struct MisspelledRule: CustomStringConvertible {
    /// The member's JSON Pointer.
    let pointer: String

    var description: String {
        "\(pointer): not a rule, so it restricts nothing; perhaps \"when\" is meant"
    }

    /// Returns the slips of a document; `base` is the JSON Pointer of its modules.
    static func all(of document: BehaviorDocument, at base: String) -> [MisspelledRule] {
        document.modules.enumerated().flatMap { place, module in
            let pointer = "\(base)/\(place)"
            let actions = module.actions.enumerated().flatMap { place, action in
                slips(among: action.others, at: "\(pointer)/actions/\(place)")
            }
            return slips(among: module.others, at: pointer) + actions
        }
    }

    private static func slips(among members: JSON.Object, at pointer: String) -> [MisspelledRule] {
        members.filter { $0.name != rule && isNear($0.name) }.map { member in
            MisspelledRule(pointer: "\(pointer)/\(JSONPointer.escaped(member.name))")
        }
    }

    private static let rule = "when"

    /// Whether a name is `when` except for its case, one missing, extra or different letter, or the
    /// order of its letters.
    private static func isNear(_ name: String) -> Bool {
        let (name, rule) = (Array(name.lowercased().utf8), Array(rule.utf8))
        guard abs(name.count - rule.count) <= 1, name != Array("then".utf8) else { return false }
        if name.count == rule.count {
            return zip(name, rule).count { $0 != $1 } <= 1 || name.sorted() == rule.sorted()
        }
        let (short, long) = name.count < rule.count ? (name, rule) : (rule, name)
        return long.indices.contains { place in
            short.elementsEqual(long[..<place] + long[(place + 1)...])
        }
    }
}
