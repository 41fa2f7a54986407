import Behaviors
import JSONCodec

/// A member of a module or an action that is none of a document's, and looks as if a rule was meant.
///
/// Such a member goes to the apps, as any that they may know does, and decides nothing.
struct RuleSlip: CustomStringConvertible {
    /// Where it is.
    let pointer: String

    var description: String {
        "\(pointer): no rule, and everybody's: perhaps \"when\" is meant"
    }

    /// Those of a document whose modules stand at a place.
    static func all(of document: BehaviorDocument, at base: String) -> [RuleSlip] {
        document.modules.enumerated().flatMap { place, module in
            let pointer = "\(base)/\(place)"
            let actions = module.actions.enumerated().flatMap { place, action in
                slips(among: action.others, at: "\(pointer)/actions/\(place)")
            }
            return slips(among: module.others, at: pointer) + actions
        }
    }

    private static func slips(among members: JSON.Object, at pointer: String) -> [RuleSlip] {
        members.filter { $0.name != rule && isNear($0.name) }.map { member in
            RuleSlip(pointer: "\(pointer)/\(JSONPointer.escaped(member.name))")
        }
    }

    private static let rule = "when"

    /// Whether a name is the rule's but for its case, for one letter that is missing, more or another, or for
    /// letters that have changed places.
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
