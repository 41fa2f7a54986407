import JSONCodec

/// Converts a feature's strategies to rules; an unsupported strategy is for nobody.
struct UnleashStrategy {
    let feature: String
    let segments: [JSON: ImportPlace]
    var notes: ImportNotes

    private static let stickiness =
        "the same share of users is enabled as in Unleash, but other users: Unleash takes "
        + "MurmurHash3 modulo 100, Plugboard has 100,000 buckets"

    /// Returns a strategy's rule, with its constraints and segments.
    mutating func rule(_ strategy: ImportPlace, linked: [ImportPlace]) -> JSON {
        if strategy["disabled"].json == true {
            notes.warning(strategy["disabled"], "a disabled strategy is for nobody")
            return false
        }
        let known: Set = [
            "name", "parameters", "constraints", "segments", "variants", "disabled", "id",
            "featureName", "environment", "sortOrder", "title",
        ]
        notes.checkMembers(of: strategy, known: known, "a strategy")
        var rules = [base(strategy)]
        for constraint in strategy["constraints"].elements { rules.append(constrained(constraint)) }
        for segment in strategy["segments"].elements + linked { rules += self.rules(of: segment) }
        return .all(rules)
    }

    private mutating func refuse(_ place: ImportPlace, _ message: String) -> JSON {
        notes.error(place, "\(message); the strategy is for nobody")
        return false
    }

    private mutating func base(_ strategy: ImportPlace) -> JSON {
        let parameters = strategy["parameters"]
        switch strategy["name"].json {
        case "default": return true
        case "userWithId":
            return Self.isIn("userId", Self.list(parameters["userIds"].json.string))
        case "gradualRolloutUserId":
            return rollout(parameters["percentage"], by: "userId", parameters)
        case "gradualRolloutSessionId":
            return rollout(parameters["percentage"], by: "sessionId", parameters)
        case "gradualRolloutRandom":
            return rollout(parameters["percentage"], by: "random", parameters)
        case "flexibleRollout":
            let stickiness = parameters["stickiness"].text ?? "default"
            return rollout(parameters["rollout"], by: stickiness, parameters)
        case "remoteAddress": return addresses(parameters["IPs"])
        case "applicationHostname":
            return refuse(strategy["name"], "an app has no server host name")
        default: return refuse(strategy["name"], "unknown strategy")
        }
    }

    private mutating func rules(of segment: ImportPlace) -> [JSON] {
        guard let known = segments[segment.json] else {
            return [refuse(segment, "there is no such segment in the export")]
        }
        guard known["constraints"].json.array != nil else {
            return [refuse(segment, "the export lacks the segment's constraints")]
        }
        return known["constraints"].elements.map { constrained($0) }
    }

    private mutating func constrained(_ place: ImportPlace) -> JSON {
        do throws(UnleashConstraint.Refusal) {
            return try UnleashConstraint(place).rule()
        } catch {
            return refuse(error.place, error.message)
        }
    }

    // MARK: Users

    /// Returns the operation that reads the context's value for a name of Unleash's.
    static func variable(_ name: String) -> JSON {
        .variable(name == "userId" ? "targetingKey" : name)
    }

    static func isIn(_ name: String, _ values: [String]) -> JSON {
        .operation("in", variable(name), .array(values.map { .string($0) }))
    }

    /// Splits a comma-separated list.
    private static func list(_ text: String?) -> [String] {
        (text ?? "").split(separator: ",").map { part in
            String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }.filter { !$0.isEmpty }
    }

    /// Returns the value that distinguishes users by the given stickiness.
    static func subject(_ stickiness: String) -> JSON {
        switch stickiness {
        case "default":
            .operation("if", variable("userId"), variable("userId"), variable("sessionId"))
        case "random": variable("userId")
        default: variable(stickiness)
        }
    }

    private mutating func rollout(
        _ place: ImportPlace,
        by stickiness: String,
        _ parameters: ImportPlace
    ) -> JSON {
        let text = place.json.string ?? place.json.double.map { _ in place.json.description } ?? ""
        guard let number = JSON.Number(text), let percent = number.double,
            (0...100).contains(percent)
        else { return refuse(place, "expected a percentage") }
        if percent == 0 { return false }
        let subject = Self.subject(stickiness)
        // If the value is missing, a roll-out would use the targeting key.
        let isKey = ["random", "userId", "default"].contains(stickiness)
        if percent == 100 {
            // A user without the value isn't included, even at 100 %.
            return ["random", "default"].contains(stickiness) ? true : ["!!": subject]
        }
        notes.warnOnce(place, Self.stickiness)
        if stickiness == "random" {
            notes.warnOnce(place, "a random roll-out always selects the same users here")
        }
        let group = parameters["groupId"].text ?? feature
        let rule = JSON.operation(
            "rollout",
            BucketKey.text("\(group):", subject),
            .number(number)
        )
        return isKey ? rule : .all([["!!": subject], rule])
    }

    private mutating func addresses(_ place: ImportPlace) -> JSON {
        var whole: [JSON] = []
        var rules: [JSON] = []
        for address in Self.list(place.json.string) {
            let parts = address.split(separator: "/", omittingEmptySubsequences: false)
            let numbers = parts[0].split(separator: ".", omittingEmptySubsequences: false)
            switch (parts.count, parts.count > 1 ? parts[1] : "", numbers.count) {
            case (1, _, _): whole.append(.string(address))
            case (2, "32", 4): whole.append(.string(String(parts[0])))
            case (2, "8", 4), (2, "16", 4), (2, "24", 4):
                let count = parts[1] == "8" ? 1 : parts[1] == "16" ? 2 : 3
                let start = numbers.prefix(count).joined(separator: ".") + "."
                rules.append(
                    .operation("starts_with", Self.variable("remoteAddress"), .string(start))
                )
            default:
                notes.error(
                    place,
                    "\(address): only IPv4 ranges with /8, /16, /24 or /32 are supported; "
                        + "it is for nobody"
                )
            }
        }
        if !whole.isEmpty {
            rules.append(.operation("in", Self.variable("remoteAddress"), .array(whole)))
        }
        return .any(rules)
    }
}
