import JSONCodec

/// An author of a part of a draft.
///
/// Equality compares bytes; ``isSame(as:)`` compares people.
package struct Contributor: Sendable {
    /// An ``Author``'s number.
    package var id: String
    /// The author's name at that time; may be empty.
    package var name: String

    init(_ id: String, name: String) {
        self.id = id
        self.name = name
    }

    /// The name, else the number.
    package var shown: String { name.isEmpty ? id : name }

    /// Whether an author is the same person.
    func isSame(as author: Author) -> Bool {
        isSame(as: Contributor(author.id, name: author.name))
    }

    var json: JSON {
        name.isEmpty ? .string(id) : ["by": .string(id), "name": .string(name)]
    }
}

extension Contributor: Hashable {
    package static func == (left: Contributor, right: Contributor) -> Bool {
        left.id.hasSameBytes(as: right.id) && left.name.hasSameBytes(as: right.name)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(ExactName(text: id)) }
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
    ///
    /// An earlier name of the author stays: a token with that name is the same person.
    func each(beside author: Author) -> [Contributor] {
        let current = Contributor(author.id, name: author.name)
        var known: Set<Contributor> = [current, Contributor(author.id, name: "")]
        return filter { known.insert($0).inserted }
    }
}

/// A set of people with lookup by number or name.
struct ContributorSet {
    private var ids: Set<ExactName> = []
    private var names: Set<PersonName> = []
    /// The number of people.
    private(set) var count = 0

    init(_ contributors: [Contributor] = []) { contributors.forEach { insert($0) } }

    mutating func insert(_ contributor: Contributor) {
        if !contains(contributor) { count += 1 }
        ids.insert(ExactName(text: contributor.id))
        let name = PersonName(contributor.name)
        if !name.isEmpty { names.insert(name) }
    }

    /// Whether the set has this person, by the rule of ``Contributor/isSame(as:)``.
    func contains(_ contributor: Contributor) -> Bool {
        ids.contains(ExactName(text: contributor.id))
            || names.contains(PersonName(contributor.name))
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
