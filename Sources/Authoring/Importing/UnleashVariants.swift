import Behaviors
import JSONCodec

/// A feature's variants: values that are split among its users.
struct UnleashVariants {
    let feature: String
    /// The variants' names and values, in the export's order.
    private var values: [(name: String, value: JSON)] = []

    init(feature: String) { self.feature = feature }

    /// Returns the rule that gives the name of a user's variant; nil if there are no variants.
    ///
    /// As in Unleash, the first variant's stickiness applies to all, else the strategy's.
    mutating func split(
        _ place: ImportPlace,
        _ notes: inout ImportNotes,
        orElse inherited: String? = nil
    ) -> JSON? {
        var parts: [JSON] = []
        var overrides: [JSON] = []
        let stickiness = place.elements.first?["stickiness"].text ?? inherited ?? "default"
        if !place.isAbsent, place.json.array == nil { notes.error(place, "expected an array") }
        for variant in place.elements {
            guard let name = variant["name"].text else {
                notes.error(variant["name"], "expected a name; the variant applies to no user")
                continue
            }
            guard let weight = variant["weight"].json.int, (0...1_000).contains(weight) else {
                notes.error(
                    variant["weight"],
                    "expected a weight from 0 to 1,000; the variant applies to no user"
                )
                continue
            }
            let known: Set = ["name", "weight", "weightType", "payload", "stickiness", "overrides"]
            notes.checkMembers(of: variant, known: known, "a variant")
            if let own = variant["stickiness"].text, own != stickiness {
                notes.warning(
                    variant["stickiness"],
                    "it is ignored, as in Unleash: the first variant has \(stickiness)"
                )
            }
            parts.append([.string(name), .number(JSON.Number(weight))])
            for override in variant["overrides"].elements {
                let names = override["values"].elements.compactMap(\.json.string)
                if names.count < override["values"].elements.count {
                    notes.error(override["values"], "expected texts; others are ignored")
                }
                let subject = override["contextName"].text ?? "userId"
                guard !subject.utf8.contains(UInt8(ascii: ".")) else {
                    notes.error(override["contextName"], "a name with a dot is a path here")
                    continue
                }
                overrides += [UnleashContext.isIn(subject, names), .string(name)]
            }
            note(name, value(of: variant, &notes), variant, &notes)
        }
        guard !parts.isEmpty else { return nil }
        guard parts.contains(where: { $0[1]?.int != 0 }) else {
            notes.error(place, "no weight is above 0; the variants are for nobody")
            return nil
        }
        guard !stickiness.utf8.contains(UInt8(ascii: ".")) else {
            notes.error(place, "the stickiness is a name with a dot, which is a path here")
            return nil
        }
        notes.warnOnce(
            place,
            "variants are assigned again: a user may get another one than before"
        )
        if stickiness == "random" {
            notes.warnOnce(place, "a random variant is always the same for a user here")
        }
        // The key differs from a rollout's, so that the two don't correlate. It never has the name
        // of an action, so that all actions of a feature choose the same variant.
        let key = BucketKey.text(
            "\(feature):variant:",
            UnleashContext.subject(stickiness, isVariant: true),
            orElse: UnleashContext.text("userId")
        )
        let split = JSON.object(["fractional": .array([key] + parts)])
        return overrides.isEmpty ? split : ["if": .array(overrides + [split])]
    }

    private mutating func note(
        _ name: String,
        _ value: JSON,
        _ place: ImportPlace,
        _ notes: inout ImportNotes
    ) {
        guard let known = values.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            return values.append((name, value))
        }
        if known.value != value {
            notes.error(place, "a variant of that name has another value; the first one is used")
        }
    }

    private func value(of variant: ImportPlace, _ notes: inout ImportNotes) -> JSON {
        let payload = variant["payload"]
        guard !payload.isAbsent else { return variant["name"].json }
        let text = payload["value"].json.string ?? payload["value"].json.description
        switch payload["type"].json {
        case "json", "number":
            if let value = try? JSON(parsing: text.utf8) { return value }
            notes.error(payload["value"], "not JSON; it is used as a text")
        case "string", "csv": break
        default: notes.warning(payload["type"], "unknown type; it is used as a text")
        }
        return .string(text)
    }

    /// Returns the actions that set the values; the first branch whose rule holds selects the
    /// variant.
    func actions(_ branches: [(rule: JSON, variant: JSON?)]) -> [BehaviorAction] {
        let open = branches.filter { $0.rule != false }
        guard open.contains(where: { $0.variant != nil }) else {
            return [BehaviorAction(setting: true, when: true)]
        }
        let first = open.first?.variant
        var choice = first ?? .null
        if open.contains(where: { $0.variant != first }) {
            choice = ["if": .array(open.flatMap { [$0.rule, $0.variant ?? .null] })]
        }
        var actions = values.map { name, value in
            BehaviorAction(setting: value, when: .operation("===", choice, .string(name)))
        }
        if open.contains(where: { $0.variant == nil }) {
            actions.append(BehaviorAction(setting: true, when: .operation("===", choice, .null)))
        }
        return actions
    }
}
