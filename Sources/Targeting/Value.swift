import JSONCodec

/// A value while a rule is evaluated: JSON with its numbers read.
enum Value: Sendable {
    case null
    case bool(Bool)
    /// As in JavaScript it may be infinite or not a number, where a rule made it so.
    case number(Double)
    case text(String)
    case list(List)
    case members(Members)

    /// Values in order.
    struct List: Sendable {
        let elements: [Value]
        /// How deep lists nest in it: 1 for one of plain values.
        let depth: Int
        /// How many steps it takes to make a text of it, at most ``greatestWeight``.
        let weight: Int
        /// How many names one has to look through at most in the elements' members.
        let breadth: Int

        /// Beyond what any rule may take: a list may hold itself many times over.
        private static let greatestWeight = 1 << 24

        init(_ elements: [Value]) {
            self.elements = elements
            var depth = 0
            var weight = 0
            var breadth = 0
            for element in elements {
                switch element {
                case .null, .bool: weight += 1
                case .number: weight += 1 + Bounds.numberSteps
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
            self.weight = min(weight, Self.greatestWeight)
            self.breadth = breadth
        }
    }

    /// A named value.
    // A struct, whose arrays are freed by code made for it, as a tuple's aren't.
    struct Member: Sendable {
        let name: Name
        let value: Value
    }

    /// Named values, as they were written.
    struct Members: Sendable {
        let members: [Member]
        let depth: Int
        /// How many names one has to look through at most, here and in what the members hold.
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

        /// Members whose values are plain.
        init(plain members: [Member]) {
            self.members = members
            depth = 1
            breadth = members.count
        }

        /// The value of that name; a linear scan, as contexts have few members.
        subscript(name: Name) -> Value? {
            for at in members.indices where members[at].name.isSame(as: name) {
                return members[at].value
            }
            return nil
        }
    }

    /// Creates a value from JSON, nil where a number is beyond the range of a `Double`.
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

    /// How deep lists and members nest, 0 for a plain value.
    var depth: Int {
        switch self {
        case .list(let list): list.depth
        case .members(let members): members.depth
        case .null, .bool, .number, .text: 0
        }
    }

    /// How many names one has to look through at most in it.
    var breadth: Int {
        switch self {
        case .list(let list): list.breadth
        case .members(let members): members.breadth
        case .null, .bool, .number, .text: 0
        }
    }

    /// The value as JSON; what isn't a number is null.
    ///
    /// At most `room` values are shown, and of a text so many bytes; those beyond are null: a rule can make
    /// a value that holds itself many times over.
    private func json(room: inout Int, textSize: Int) -> JSON {
        room -= 1
        guard room >= 0 else { return .null }
        switch self {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .number(let number): return JSON.Number(number).map { .number($0) } ?? .null
        case .text(let text):
            guard text.utf8.count > textSize else { return .string(text) }
            return .string(String(decoding: text.utf8.prefix(textSize), as: UTF8.self) + "…")
        case .list(let list):
            var elements: [JSON] = []
            for element in list.elements where room > 0 {
                elements.append(element.json(room: &room, textSize: textSize))
            }
            return .array(elements)
        case .members(let members):
            var object: JSON.Object = [:]
            for member in members.members where room > 0 {
                object[member.name.text] = member.value.json(room: &room, textSize: textSize)
            }
            return .object(object)
        }
    }

    /// The value as JSON, cut where it is large.
    var json: JSON {
        var room = 1_000
        return json(room: &room, textSize: .max)
    }

    /// The value as an explanation shows it, its texts cut, too.
    var shown: JSON {
        var room = 100
        return json(room: &room, textSize: Bounds.shownSize)
    }
}

/// How many bytes two texts begin with alike.
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

/// Whether two texts have the same bytes; a `String` alone equals each canonically equivalent one.
func isSameText(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    let isSame = left.utf8.withContiguousStorageIfAvailable { left in
        right.utf8.withContiguousStorageIfAvailable { right in
            for at in 0..<left.count where left[at] != right[at] { return false }
            return true
        }
    }
    // A text that isn't UTF-8 in memory, as Darwin's may be.
    return (isSame ?? nil) ?? left.utf8.elementsEqual(right.utf8)
}
