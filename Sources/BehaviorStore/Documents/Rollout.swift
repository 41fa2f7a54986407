package import JSONCodec

/// A share of users that a document's rule selects: a `rollout`, or a part of a `fractional`.
package struct Rollout: Sendable, Equatable {
    /// The rule's place: `Banner`, `Banner/show` or `segment beta`.
    package var place: String
    /// The percentage of users.
    package var percent: Double
    /// The value of a part; nil for a `rollout`.
    package var value: String?

    /// The maximum number of shares of a document; a report of many documents stays small.
    static let maximumCount = 100
    /// The maximum number of characters of a name or a value; longer ones are cut.
    static let maximumText = 100

    /// Returns the first shares in a document's rules, in the document's order.
    ///
    /// A share whose weights are computed for each user has no percentage and is left out.
    package static func all(in document: JSON) -> [Rollout] {
        var found: [Rollout] = []
        for (name, rule) in document["segments"]?.object ?? [:] {
            find(in: rule, at: "segment \(cut(name))", &found)
        }
        for module in document.array ?? document["modules"]?.array ?? [] {
            let name = cut(module["name"]?.string ?? "")
            if let rule = module["when"] { find(in: rule, at: name, &found) }
            for action in module["actions"]?.array ?? [] {
                guard let rule = action["when"] else { continue }
                find(in: rule, at: "\(name)/\(cut(action["func"]?.string ?? ""))", &found)
            }
        }
        return Array(found.prefix(maximumCount))
    }

    private static func cut(_ text: String) -> String {
        let start = text.prefix(maximumText)
        return start.endIndex == text.endIndex ? text : start + "…"
    }

    private static func find(in rule: JSON, at place: String, _ found: inout [Rollout]) {
        guard found.count < maximumCount else { return }
        if let list = rule.array {
            for element in list { find(in: element, at: place, &found) }
            return
        }
        for (operation, operand) in rule.object ?? [:] {
            switch operation {
            case "rollout":
                guard let percent = (operand.array?.last ?? operand).double else { continue }
                found.append(Rollout(place: place, percent: percent))
            case "fractional": found += parts(of: operand, at: place)
            default: find(in: operand, at: place, &found)
            }
        }
    }

    /// Returns the parts of a `fractional`; a key may come before them.
    private static func parts(of operand: JSON, at place: String) -> [Rollout] {
        let parts = (operand.array ?? []).compactMap(\.array)
        guard parts.count <= maximumCount else { return [] }
        let weights = parts.map { $0.count > 1 ? $0[1].double : 1 }
        let sum = weights.reduce(0) { $0 + ($1 ?? 0) }
        guard !weights.contains(nil), sum > 0 else { return [] }
        return zip(parts, weights).map { part, weight in
            let value = cut(part.first.map { $0.string ?? $0.description } ?? "")
            let share = (weight ?? 0) * 100 / sum
            // Thousandths, as in a rollout.
            return Rollout(place: place, percent: (share * 1_000).rounded() / 1_000, value: value)
        }
    }
}
