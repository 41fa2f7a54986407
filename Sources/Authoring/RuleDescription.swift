package import JSONCodec

/// A description of a rule: `10 %`, `the segment beta and 10 %`, `version >= 2.0.0`.
///
/// A less common rule is described by its JSON.
package struct RuleDescription: CustomStringConvertible {
    package let description: String

    /// Describes the users a rule applies to; without a rule, everybody.
    init(_ rule: JSON?) {
        switch rule {
        case .none, .some(.bool(true)): description = "everybody"
        case .some(.bool(false)): description = "nobody"
        case .some(let rule): description = Self.words(rule) ?? Self.cut(rule)
        }
    }

    /// The most characters of a rule or value in a description.
    private static let length = 120

    /// Returns a value's JSON, cut if it is long.
    ///
    /// It reads only the beginning of a long value.
    package static func cut(_ json: JSON) -> String {
        var room = length
        let text = beginning(of: json, &room).description
        return room >= 0 && text.count <= length ? text : text.prefix(length - 1) + "…"
    }

    /// Returns a value's first elements and characters, as many as there is room for; less room than
    /// none says that some are omitted.
    private static func beginning(of json: JSON, _ room: inout Int) -> JSON {
        switch json {
        case .null, .bool, .number:
            room -= 1
            return json
        case .string(let text):
            let start = text.unicodeScalars.prefix(max(room, 0) + 1)
            room -= start.count
            return .string(String(start))
        case .array(let elements):
            var start: [JSON] = []
            for element in elements {
                room -= 1
                guard room >= 0 else { break }
                start.append(beginning(of: element, &room))
            }
            return .array(start)
        case .object(let members):
            var start: JSON.Object = [:]
            for member in members {
                guard room >= 0 else { break }
                let name = member.name.unicodeScalars.prefix(room + 1)
                room -= name.count
                start[String(name)] = room >= 0 ? beginning(of: member.value, &room) : .null
            }
            return .object(start)
        }
    }

    private static func words(_ rule: JSON, isInner: Bool = false) -> String? {
        guard case .object(let object) = rule, object.count == 1,
            let member = object.first(where: { _ in true })
        else { return nil }
        let operands = member.value.array ?? [member.value]
        switch (member.name, operands.count) {
        case ("rollout", 1): return "\(operands[0]) %"
        case ("rollout", 2):
            return subject(operands[0]).map { "\(operands[1]) % by \($0)" }
        case ("segment", 1): return operands[0].string.map { "the segment \($0)" }
        case ("and", 2...), ("or", 2...):
            var parts: [String] = []
            for operand in operands {
                guard let part = words(operand, isInner: true) else { return nil }
                parts.append(part)
            }
            let text = parts.joined(separator: " \(member.name) ")
            return isInner ? "(\(text))" : text
        case ("!", 1): return words(operands[0], isInner: true).map { "not \($0)" }
        case ("==", 2), ("===", 2), ("!=", 2), ("!==", 2), (">", 2), (">=", 2), ("<", 2),
            ("<=", 2), ("in", 2):
            return comparison(operands[0], member.name, operands[1])
        case ("starts_with", 2): return comparison(operands[0], "starts with", operands[1])
        case ("ends_with", 2): return comparison(operands[0], "ends with", operands[1])
        case ("sem_ver", 3):
            guard let name = operands[1].string, let version = operands[2].string else {
                return nil
            }
            return subject(operands[0]).map { "\($0) \(name) \(version)" }
        default: return nil
        }
    }

    private static func comparison(_ left: JSON, _ name: String, _ right: JSON) -> String? {
        guard let left = subject(left) ?? constant(left),
            let right = subject(right) ?? constant(right)
        else { return nil }
        return "\(left) \(name) \(right)"
    }

    private static func constant(_ json: JSON) -> String? {
        if case .object = json { return nil }
        return cut(json)
    }

    /// Returns the name of the property that a rule reads.
    private static func subject(_ json: JSON) -> String? {
        guard case .object(let object) = json, object.count == 1, let path = object["var"] else {
            return nil
        }
        if case .array(let operands) = path, operands.count == 1 { return operands[0].string }
        return path.string
    }
}
