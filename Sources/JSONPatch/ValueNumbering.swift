import JSONCodec

/// Numbers the values of documents, so that two values are equal exactly if their numbers are.
///
/// Each value is visited once, however often it is compared.
struct ValueNumbering {
    private var numbers: [Key: Int] = [:]

    private enum Key: Hashable {
        case scalar(JSON)
        case elements([Int])
        /// The numbers of names and values alternately, ordered by the names' numbers.
        case members([Int])
    }

    /// A value with all its descendants.
    struct Tree {
        let json: JSON
        let number: Int
        /// The number of values in it, including itself.
        let count: Int
        let content: Content
    }

    /// The children of a value.
    enum Content {
        case scalar
        case elements([Tree])
        case members([Member])
    }

    /// A member of an object.
    struct Member {
        let name: String
        let nameNumber: Int
        let tree: Tree
    }

    /// Returns the number of a text.
    mutating func number(of text: String) -> Int { number(.scalar(.string(text))) }

    /// Numbers a value and all its descendants.
    mutating func tree(_ json: JSON) -> Tree {
        switch json {
        case .null, .bool, .number, .string:
            return Tree(json: json, number: number(.scalar(json)), count: 1, content: .scalar)
        case .array(let elements):
            let trees = elements.map { tree($0) }
            return Tree(
                json: json,
                number: number(.elements(trees.map(\.number))),
                count: trees.reduce(1) { $0 + $1.count },
                content: .elements(trees)
            )
        case .object(let object):
            let members = object.map { name, value in
                Member(name: name, nameNumber: number(of: name), tree: tree(value))
            }
            let sorted = members.sorted { $0.nameNumber < $1.nameNumber }
            return Tree(
                json: json,
                number: number(.members(sorted.flatMap { [$0.nameNumber, $0.tree.number] })),
                count: members.reduce(1) { $0 + $1.tree.count },
                content: .members(members)
            )
        }
    }

    private mutating func number(_ key: Key) -> Int {
        if let known = numbers[key] { return known }
        let number = numbers.count
        numbers[key] = number
        return number
    }
}
