import JSONCodec

/// A value during evaluation: JSON with parsed numbers.
enum Value: Sendable {
    case null
    case bool(Bool)
    /// A number; a rule may produce NaN or infinity, as in JavaScript.
    case number(Double)
    case text(String)
    case list(List)
    case members(Members)

    /// An ordered list of values.
    struct List: Sendable {
        let elements: [Value]
        /// The nesting depth of lists: 1 for a list of plain values.
        let depth: Int
        /// The number of steps to convert the list to a text, at most ``maximumWeight``.
        let weight: Int
        /// The maximum number of name comparisons in one lookup within the elements.
        let breadth: Int

        /// More than any rule may take; a list may contain another many times.
        private static let maximumWeight = 1 << 24

        init(_ elements: [Value]) {
            self.elements = elements
            var depth = 0
            var weight = 0
            var breadth = 0
            for element in elements {
                switch element {
                case .null, .bool: weight += 1
                case .number: weight += 1 + TargetingLimits.numberSteps
                case .text(let text): weight += 1 + text.utf8.count / 16
                case .list(let list):
                    weight += 1 + list.weight
                    depth = max(depth, list.depth)
                    breadth = max(breadth, list.breadth)
                case .members(let members):
                    weight += 1
                    depth = max(depth, members.depth)
                    breadth = max(breadth, members.breadth)
                }
            }
            self.depth = 1 + depth
            self.weight = min(weight, Self.maximumWeight)
            self.breadth = breadth
        }
    }

    /// A named value.
    // A struct: specialised code frees its arrays, unlike those of a tuple.
    struct Member: Sendable {
        let name: Name
        let value: Value
    }

    /// Named values, in the order of the text.
    struct Members: Sendable {
        let members: [Member]
        let depth: Int
        /// The maximum number of name comparisons in one lookup, here or in nested members.
        let breadth: Int

        init(_ members: [Member]) {
            self.members = members
            var depth = 0
            var breadth = members.count
            for member in members {
                depth = max(depth, member.value.depth)
                breadth = max(breadth, member.value.breadth)
            }
            self.depth = 1 + depth
            self.breadth = breadth
        }

        /// Creates members whose values are neither lists nor objects.
        init(plain members: [Member]) {
            self.members = members
            depth = 1
            breadth = members.count
        }

        /// Returns the value of a name by a linear scan, as contexts have few members.
        subscript(name: Name) -> Value? {
            for at in members.indices where members[at].name.isSame(as: name) {
                return members[at].value
            }
            return nil
        }
    }

    /// Creates a value from JSON; nil if a number is out of range of a `Double`.
    init?(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let number):
            guard let value = number.double else { return nil }
            self = .number(value)
        case .string(let text): self = .text(text)
        case .array(let elements):
            var values: [Value] = []
            values.reserveCapacity(elements.count)
            for element in elements {
                guard let value = Value(element) else { return nil }
                values.append(value)
            }
            self = .list(List(values))
        case .object(let object):
            var members: [Member] = []
            members.reserveCapacity(object.count)
            for (name, element) in object {
                guard let value = Value(element) else { return nil }
                members.append(Member(name: Name(name), value: value))
            }
            self = .members(Members(members))
        }
    }

    /// The nesting depth of lists and members; 0 for a plain value.
    var depth: Int {
        switch self {
        case .list(let list): list.depth
        case .members(let members): members.depth
        case .null, .bool, .number, .text: 0
        }
    }

    /// The maximum number of name comparisons in one lookup.
    var breadth: Int {
        switch self {
        case .list(let list): list.breadth
        case .members(let members): members.breadth
        case .null, .bool, .number, .text: 0
        }
    }

    /// Returns the value as JSON; NaN and infinity are null.
    ///
    /// At most `room` values are included, further ones are null or omitted: a rule can make a
    /// value that contains another many times.
    private func json(room: inout Int, areTextsCut: Bool) -> JSON {
        room -= 1
        guard room >= 0 else { return .null }
        switch self {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .number(let number): return JSON.Number(number).map { .number($0) } ?? .null
        case .text(let text):
            return .string(areTextsCut ? text.shown : text)
        case .list(let list):
            var elements: [JSON] = []
            for element in list.elements where room > 0 {
                elements.append(element.json(room: &room, areTextsCut: areTextsCut))
            }
            return .array(elements)
        case .members(let members):
            var object: JSON.Object = [:]
            for member in members.members where room > 0 {
                object[member.name.text] = member.value.json(
                    room: &room,
                    areTextsCut: areTextsCut
                )
            }
            return .object(object)
        }
    }

    /// The value as JSON, cut if it is large.
    var json: JSON {
        var room = 1_000
        return json(room: &room, areTextsCut: false)
    }

    /// The value as an explanation shows it, with cut texts.
    var shown: JSON {
        var room = 100
        return json(room: &room, areTextsCut: true)
    }
}

extension String {
    /// The text as an explanation shows it, cut if it is long.
    var shown: String {
        guard utf8.count > TargetingLimits.shownSize else { return self }
        return String(decoding: utf8.prefix(TargetingLimits.shownSize), as: UTF8.self) + "…"
    }

    /// The steps to show the text.
    var shownSteps: Int { TargetingLimits.shownByteSteps * utf8.count }
}

extension JSON {
    /// The steps to show the value.
    var shownSteps: Int {
        switch self {
        case .string(let text): text.shownSteps
        case .array(let elements): elements.reduce(1) { $0 + $1.shownSteps }
        case .object(let members):
            members.reduce(1) { $0 + $1.name.shownSteps + $1.value.shownSteps }
        case .null, .bool, .number: 8 * TargetingLimits.shownByteSteps
        }
    }
}

/// Returns the length of the common prefix of two texts, in bytes.
func commonLength(_ left: String, _ right: String) -> Int {
    var left = left
    var right = right
    return left.withUTF8 { left in
        right.withUTF8 { right in
            var at = 0
            while at < left.count, at < right.count, left[at] == right[at] { at += 1 }
            return at
        }
    }
}

/// Returns whether two texts have the same bytes; `String` equality includes canonical equivalents.
func isSameText(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    let isSame = left.utf8.withContiguousStorageIfAvailable { left in
        right.utf8.withContiguousStorageIfAvailable { right in
            for at in 0..<left.count where left[at] != right[at] { return false }
            return true
        }
    }
    // On Darwin a text may be stored in another encoding than UTF-8.
    return (isSame ?? nil) ?? left.utf8.elementsEqual(right.utf8)
}
