import JSONCodec

/// The changes between two schemas, breaking or harmless.
///
/// A sent value must still be accepted. A received value must still be one that the client expects.
struct SchemaChanges {
    enum Direction { case sent, got }

    private(set) var breaking: [String] = []
    private(set) var harmless: [String] = []

    private let old: JSON
    private let new: JSON
    private let direction: Direction
    private var seen: Set<[String]> = []

    /// Creates a comparison of schemas in two API descriptions.
    init(old: JSON, new: JSON, _ direction: Direction) {
        self.old = old
        self.new = new
        self.direction = direction
    }

    mutating func compare(_ one: JSON, _ other: JSON, _ place: String, depth: Int) {
        guard depth < 32 else { return }
        compareProblems(Self.problems(one), Self.problems(other), place, depth: depth)
        let names = [one["$ref"]?.string ?? "", other["$ref"]?.string ?? ""]
        if names != ["", ""], !seen.insert(names).inserted { return }
        let old = Self.value(one, in: self.old)
        let new = Self.value(other, in: self.new)
        guard compareTypes(old, new, place) else { return }
        compareCases(old["enum"]?.array, new["enum"]?.array, place)
        compareBounds(old, new, place)
        compareMembers(old, new, place, depth: depth)
        compareChoices(old["oneOf"]?.array, new["oneOf"]?.array, place, depth: depth)
        if let items = old["items"], let others = new["items"] {
            compare(items, others, "\(place), each element", depth: depth + 1)
        }
        if new["additionalProperties"] == false, old["additionalProperties"] != false {
            note(direction == .sent, "\(place) no longer accepts other members")
        } else if let values = old["additionalProperties"], let others = new["additionalProperties"]
        {
            compare(values, others, "\(place), each value", depth: depth + 1)
        }
    }

    /// Compares `oneOf` schemas in their order.
    private mutating func compareChoices(
        _ old: [JSON]?,
        _ new: [JSON]?,
        _ place: String,
        depth: Int
    ) {
        guard old != nil || new != nil else { return }
        // Without `oneOf` every choice is allowed.
        let (before, after) = (old?.count ?? .max, new?.count ?? .max)
        if before != after {
            note(
                (after < before) == (direction == .sent),
                "\(place) has \(after < before ? "fewer" : "more") choices now"
            )
        }
        for (one, other) in zip(old ?? [], new ?? []) {
            compare(one, other, place, depth: depth + 1)
        }
    }

    /// Compares the members of the problems that an action declares, by their types.
    ///
    /// Another problem is still a problem, which every client reads.
    private mutating func compareProblems(
        _ old: [String: JSON],
        _ new: [String: JSON],
        _ place: String,
        depth: Int
    ) {
        for (type, problem) in old.sorted(by: { $0.key < $1.key }) {
            let name = problem["title"]?.string ?? type
            guard let other = new[type] else {
                note(false, "\(place) is no longer the problem \(name)")
                continue
            }
            let members = JSON.object(JSON.Object(Self.ownParts(of: problem)))
            let others = JSON.object(JSON.Object(Self.ownParts(of: other)))
            compare(members, others, "\(place), \(name)", depth: depth + 1)
        }
        for (type, problem) in new.sorted(by: { $0.key < $1.key }) where old[type] == nil {
            note(false, "\(place) may be the problem \(problem["title"]?.string ?? type) now")
        }
    }

    /// Returns a problem's schema without that of problem details.
    private static func ownParts(of problem: JSON) -> [(name: String, value: JSON)] {
        (problem.object ?? JSON.Object()).filter { $0.0 != "allOf" && $0.0 != "title" }
            .map { ($0.0, $0.1) }
    }

    /// Returns the schemas of declared problems, by their types.
    private static func problems(_ schema: JSON) -> [String: JSON] {
        var problems: [String: JSON] = [:]
        let choices = schema["anyOf"]?.array ?? []
        for choice in choices.dropLast() where choice["allOf"] == choices.last.map({ [$0] }) {
            if let type = choice["properties"]?["type"]?["const"]?.string {
                problems[type] = choice
            }
        }
        return problems
    }

    /// Resolves a schema's reference; for a nullable schema, adds `null` to its types.
    private static func value(_ schema: JSON, in api: JSON, depth: Int = 0) -> JSON.Object {
        // A reference to itself says nothing.
        guard depth < 32 else { return JSON.Object() }
        if let name = schema["$ref"]?.string?.split(separator: "/").last {
            let named = api["components"]?["schemas"]?[String(name)] ?? [:]
            return value(named, in: api, depth: depth + 1)
        }
        if let choices = schema["anyOf"]?.array, let first = choices.first {
            // An action's problems extend the last choice, which is any problem.
            if let last = choices.last, first != last,
                choices.dropLast().allSatisfy({ $0["allOf"] == [last] })
            {
                return value(last, in: api, depth: depth + 1)
            }
            var object = value(first, in: api, depth: depth + 1)
            let type = object["type"] ?? "object"
            object["type"] = .array((type.array ?? [type]) + ["null"])
            return object
        }
        return schema.object ?? JSON.Object()
    }

    private mutating func compareTypes(
        _ old: JSON.Object,
        _ new: JSON.Object,
        _ place: String
    ) -> Bool {
        func types(_ schema: JSON.Object) -> Set<String> {
            guard let type = schema["type"] else { return [] }
            return Set((type.array ?? [type]).compactMap(\.string))
        }
        let (before, after) = (types(old), types(new))
        guard before != after else { return true }
        let words = { (types: Set<String>) in
            types.isEmpty ? "anything" : types.sorted().joined(separator: " or ")
        }
        func covers(_ wide: Set<String>, _ narrow: Set<String>) -> Bool {
            wide.isEmpty
                || !narrow.isEmpty
                    && narrow.allSatisfy {
                        wide.contains($0) || $0 == "integer" && wide.contains("number")
                    }
        }
        let isCovered = direction == .sent ? covers(after, before) : covers(before, after)
        note(!isCovered, "\(place) was \(words(before)) and is \(words(after))")
        return isCovered
    }

    private mutating func compareCases(_ old: [JSON]?, _ new: [JSON]?, _ place: String) {
        guard old != new else { return }
        guard let old else {
            return note(direction == .sent, "\(place) is limited to a list of values now")
        }
        guard let new else {
            return note(direction == .got, "\(place) is no longer limited to a list of values")
        }
        for value in old where !new.contains(value) {
            note(direction == .sent, "\(place) no longer accepts \(value)")
        }
        for value in new where !old.contains(value) {
            note(direction == .got, "\(place) may be \(value) now")
        }
    }

    /// Compares limits: a lower maximum or a higher minimum narrows a schema.
    private mutating func compareBounds(_ old: JSON.Object, _ new: JSON.Object, _ place: String) {
        let uppers = ["maximum", "exclusiveMaximum", "maxLength", "maxItems"]
        let lowers = ["minimum", "exclusiveMinimum", "minLength", "minItems"]
        for name in uppers + lowers where old[name] != new[name] {
            let (before, after) = (old[name]?.double, new[name]?.double)
            let isLower = lowers.contains(name)
            // A missing limit is infinite.
            let limit = isLower ? -Double.infinity : Double.infinity
            let narrows =
                isLower ? after ?? limit > before ?? limit : after ?? limit < before ?? limit
            note(
                narrows == (direction == .sent),
                "\(place): \(name) was \(text(old[name])) and is \(text(new[name]))"
            )
        }
        for name in ["pattern", "format", "multipleOf", "uniqueItems", "contentEncoding"]
        where old[name] != new[name] {
            let breaks = direction == .sent ? new[name] != nil : old[name] != nil
            note(breaks, "\(place): \(name) was \(text(old[name])) and is \(text(new[name]))")
        }
    }

    private func text(_ value: JSON?) -> String { value.map { $0.string ?? "\($0)" } ?? "nothing" }

    private mutating func compareMembers(
        _ old: JSON.Object,
        _ new: JSON.Object,
        _ place: String,
        depth: Int
    ) {
        func required(_ schema: JSON.Object) -> Set<String> {
            Set((schema["required"]?.array ?? []).compactMap(\.string))
        }
        let (before, after) = (required(old), required(new))
        let members = old["properties"]?.object ?? JSON.Object()
        let others = new["properties"]?.object ?? JSON.Object()
        for (name, schema) in members {
            guard let other = others[name] else {
                // A server may ignore an unknown member that a client still sends.
                let isRejected = new["additionalProperties"] == false
                note(direction == .got || isRejected, "\(place) no longer has \(name)")
                continue
            }
            if after.contains(name), !before.contains(name) {
                note(direction == .sent, "\(place) always has \(name) now")
            } else if before.contains(name), !after.contains(name) {
                note(direction == .got, "\(place) may be without \(name) now")
            }
            compare(schema, other, "\(place), \(name)", depth: depth + 1)
        }
        for (name, _) in others where members[name] == nil {
            if direction == .sent, after.contains(name) {
                note(true, "\(place) requires \(name), which is new")
            } else {
                note(false, "\(place) has \(name), which is new")
            }
        }
    }

    private mutating func note(_ breaks: Bool, _ change: String) {
        if breaks { breaking.append(change) } else { harmless.append(change) }
    }
}
