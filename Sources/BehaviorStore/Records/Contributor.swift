import JSONCodec

/// An author of a part of a draft.
package struct Contributor: Hashable, Sendable {
    /// An ``Author``'s number.
    package var id: String
    /// The author's name at that time; may be empty.
    package var name: String

    init(_ id: String, name: String) {
        self.id = id
        self.name = name
    }

    /// Whether it is the same person: by number, or by name, since a person may have two tokens.
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
    /// Returns each number and name once, without one author.
    func each(beside author: String) -> [Contributor] {
        var known: Set<Contributor> = []
        return filter { $0.id != author && known.insert($0).inserted }
    }
}

/// A set of people with lookup by number or name.
struct ContributorSet {
    private var ids: Set<String> = []
    private var names: Set<String> = []
    /// The number of people.
    private(set) var count = 0

    init(_ contributors: [Contributor] = []) { contributors.forEach { insert($0) } }

    mutating func insert(_ contributor: Contributor) {
        if !contains(contributor) { count += 1 }
        ids.insert(contributor.id)
        if !contributor.name.isEmpty { names.insert(contributor.name) }
    }

    /// Whether the set has this person, by the rule of ``Contributor/isSame(as:)``.
    func contains(_ contributor: Contributor) -> Bool {
        ids.contains(contributor.id) || names.contains(contributor.name)
    }
}

extension RevisionInfo {
    /// The revision's author.
    var maker: Contributor { Contributor(author, name: authorName) }
}

extension BehaviorOverrides {
    /// The overrides' author.
    var maker: Contributor { Contributor(by, name: name) }
}
