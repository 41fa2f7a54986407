import JSONCodec

/// Who made a part of what a draft is made of.
package struct Contributor: Hashable, Sendable {
    /// An ``Author``'s number.
    package var id: String
    /// Their name then; may be empty.
    package var name: String

    init(_ id: String, name: String) {
        self.id = id
        self.name = name
    }

    /// Whether it is them: who has two tokens is one person still, as far as their names tell.
    func isSame(as author: Author) -> Bool {
        id == author.id || !name.isEmpty && name == author.name
    }

    var json: JSON {
        name.isEmpty ? .string(id) : ["by": .string(id), "name": .string(name)]
    }
}

/// A contributor without a name is its number alone.
extension Contributor: Codable {
    private enum CodingKeys: String, CodingKey {
        case id = "by"
        case name
    }

    package init(from decoder: any Decoder) throws {
        if let id = try? decoder.singleValueContainer().decode(String.self) {
            self.init(id, name: "")
        } else {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                try members.decode(String.self, forKey: .id),
                name: try members.decode(String.self, forKey: .name)
            )
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(json)
    }
}

extension [Contributor] {
    /// Each once by every name that they had, and one of them not at all.
    func each(beside author: String) -> [Contributor] {
        var known: Set<Contributor> = []
        return filter { $0.id != author && known.insert($0).inserted }
    }
}

/// Some people, to be found by their numbers or their names.
struct People {
    private var ids: Set<String> = []
    private var names: Set<String> = []
    /// How many they are.
    private(set) var count = 0

    init(_ contributors: [Contributor] = []) { contributors.forEach { insert($0) } }

    mutating func insert(_ contributor: Contributor) {
        if !contains(contributor) { count += 1 }
        ids.insert(contributor.id)
        if !contributor.name.isEmpty { names.insert(contributor.name) }
    }

    /// Whether they are one of them, as ``Contributor/isSame(as:)`` has it.
    func contains(_ contributor: Contributor) -> Bool {
        ids.contains(contributor.id) || names.contains(contributor.name)
    }
}

extension RevisionInfo {
    /// Who made it.
    var maker: Contributor { Contributor(author, name: authorName) }
}

extension BehaviorOverrides {
    /// Who wants them.
    var maker: Contributor { Contributor(by, name: name) }
}
