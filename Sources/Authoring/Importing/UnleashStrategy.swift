import JSONCodec

/// Converts a feature's strategies to rules; an unsupported strategy applies to no user.
struct UnleashStrategy {
    let feature: String
    let segments: [JSON: ImportPlace]
    var notes: ImportNotes

    private static let stickiness =
        "the same share of users is enabled as in Unleash, but other users: Unleash takes "
        + "MurmurHash3 modulo 100, Plugboard has 100,000 buckets"

    /// Returns a strategy's rule, with its constraints and segments.
    mutating func rule(_ strategy: ImportPlace, linked: [ImportPlace]) -> JSON {
        switch strategy["disabled"].json {
        case .null, .bool(false): break
        case .bool(true):
            notes.warning(strategy["disabled"], "a disabled strategy applies to no user")
            return false
        default: return refuse(strategy["disabled"], "expected true or false")
        }
        let known: Set = [
            "name", "parameters", "constraints", "segments", "variants", "disabled", "id",
            "featureName", "environment", "sortOrder", "title",
        ]
        notes.checkMembers(of: strategy, known: known, "a strategy")
        var rules = [base(strategy)]
        for constraint in elements(strategy["constraints"], &rules) {
            rules.append(constrained(constraint))
        }
        for segment in elements(strategy["segments"], &rules) + linked {
            rules += self.rules(of: segment)
        }
        return .all(rules)
    }

    /// Returns a list's elements; a value that is no list closes the strategy.
    private mutating func elements(_ place: ImportPlace, _ rules: inout [JSON]) -> [ImportPlace] {
        if !place.isAbsent, place.json.array == nil {
            rules.append(refuse(place, "expected an array"))
        }
        return place.elements
    }

    private mutating func refuse(_ place: ImportPlace, _ message: String) -> JSON {
        notes.error(place, "\(message); the strategy applies to no user")
        return false
    }

    private mutating func base(_ strategy: ImportPlace) -> JSON {
        let parameters = strategy["parameters"]
        switch strategy["name"].json {
        case "default": return true
        case "userWithId":
            return UnleashContext.isIn("userId", list(parameters["userIds"]))
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
            return try UnleashConstraint(place).rule(&notes)
        } catch {
            return refuse(error.place, error.message)
        }
    }

    // MARK: Users

    /// Splits a comma-separated list; a value that is no text is reported.
    private mutating func list(_ place: ImportPlace) -> [String] {
        guard let text = place.json.string else {
            if !place.isAbsent { notes.error(place, "expected a text; it applies to no user") }
            return []
        }
        return text.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
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
        guard !stickiness.utf8.contains(UInt8(ascii: ".")) else {
            return refuse(parameters["stickiness"], "a name with a dot is a path here")
        }
        // Unleash divides users among whole percents, 1 to 100.
        let share = Int(percent.rounded(.down))
        if share == 0 { return false }
        let subject = UnleashContext.subject(stickiness)
        // If the value is missing, a rollout would use the targeting key.
        let isKey = ["random", "userId", "default"].contains(stickiness)
        let isForAll = ["random", "default"].contains(stickiness)
        if share == 100 {
            // A user without the value isn't included, even at 100 %.
            return isForAll ? true : ["!!": subject]
        }
        notes.warnOnce(place, Self.stickiness)
        if isForAll {
            notes.warnOnce(
                place,
                "users without an id are disabled here; Unleash enables them at random"
            )
        }
        if stickiness == "random" {
            notes.warnOnce(place, "a random roll-out always selects the same users here")
        }
        let group = parameters["groupId"].text ?? feature
        let rule = JSON.operation(
            "rollout",
            BucketKey.text("\(group):", subject),
            .number(JSON.Number(share))
        )
        return isKey ? rule : .all([["!!": subject], rule])
    }

    private mutating func addresses(_ place: ImportPlace) -> JSON {
        let subject = UnleashContext.text("remoteAddress")
        var whole: [JSON] = []
        var rules: [JSON] = []
        for address in list(place) {
            let parts = address.split(separator: "/", omittingEmptySubsequences: false)
            let numbers = parts[0].split(separator: ".", omittingEmptySubsequences: false)
            switch (parts.count, parts.count > 1 ? parts[1] : "", numbers.count) {
            case (1, _, _): whole.append(.string(address))
            case (2, "32", 4): whole.append(.string(String(parts[0])))
            case (2, "8", 4), (2, "16", 4), (2, "24", 4):
                let count = parts[1] == "8" ? 1 : parts[1] == "16" ? 2 : 3
                let start = numbers.prefix(count).joined(separator: ".") + "."
                rules.append(
                    .operation("starts_with", subject, .string(start))
                )
            default:
                notes.error(
                    place,
                    "\(address): only IPv4 ranges with /8, /16, /24 or /32 are supported; "
                        + "it applies to no user"
                )
            }
        }
        if !whole.isEmpty {
            rules.append(.operation("in", subject, .array(whole)))
        }
        return .any(rules)
    }
}
