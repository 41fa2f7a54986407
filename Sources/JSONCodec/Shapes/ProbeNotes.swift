/// The recorded requests of a type's `init(from:)`.
final class ProbeNotes {
    let book: ShapeFinder
    private let type: Any.Type?
    /// The index of the type's component, once it has requested members.
    private(set) var component: Int?
    /// The member without a sample, which ends a synthesized `init(from:)`.
    private var unsampled: (name: String, type: Any.Type)?
    var isNullable = false
    /// Whether the decoding caller supplies the value.
    var isSupplied = false
    private var members: [Shape.Member] = []
    private var isKeyed = false
    /// Whether any member name is accepted, as in a dictionary.
    private var hasAnyKeys = false
    private var asksForKeys = false
    /// The names of its keys, of which its `init(from:)` may request only some.
    private var keyNames: [String] = []
    /// Whether names other than those of requested members may be keys.
    private var hasUnknownKeys = false
    private var value: Shape?
    private var elements: [Shape] = []
    private var isList = false
    /// Whether a list may have any number of elements, since the type asks for its end.
    var isEndless = false
    private var single: Shape?
    private var nested: [(name: String?, notes: ProbeNotes)] = []

    /// The name that represents all keys of a dictionary; it is also an integer's text.
    static let anyName = "0"

    init(_ book: ShapeFinder, _ type: Any.Type?) {
        self.book = book
        self.type = type
    }

    /// Whether the type may conform to ``SchemaDeclaring``: no list, dictionary or optional.
    var mayDeclare: Bool { !isList && !isNullable && !(hasAnyKeys && members.isEmpty) }

    func noteMembers<Key: CodingKey>(named type: Key.Type) {
        isKeyed = true
        if let names = TypeMetadata.names(of: type) {
            keyNames += names
        } else {
            hasUnknownKeys = true
        }
        hasAnyKeys = hasAnyKeys || Key(stringValue: Self.anyName) != nil
        // A dictionary has no name in the schema.
        guard !hasAnyKeys, component == nil, let own = self.type else { return }
        component = book.addComponent(own)
    }

    func keys<Key: CodingKey>() -> [Key] {
        asksForKeys = true
        return Key(stringValue: Self.anyName).map { [$0] } ?? []
    }

    func note<T: Decodable>(_ type: T.Type, named name: String) {
        let shape = book.shape(of: type)
        if asksForKeys, name == Self.anyName {
            value = shape
        } else {
            update(name) { member in
                let isNullable = member.shape.isNullable || shape.isNullable
                if case .any = member.shape.form { member.shape = shape }
                member.shape.isNullable = isNullable
            }
        }
    }

    /// Returns a sample of a member's type.
    func sample<T: Decodable>(_ type: T.Type, of name: String) throws -> T {
        do {
            return try book.sample(type)
        } catch {
            unsampled = (name, type)
            throw error
        }
    }

    /// Returns why the members of a type are unknown after its `init(from:)` failed; nil if they are
    /// known.
    ///
    /// A type that requests its members and then rejects their values has known members.
    func gap(of type: Any.Type) -> ShapeGap? {
        guard isKeyed, !isSupplied else { return nil }
        let remedy = "to SchemaDescribing, with an example in its schema"
        if let unsampled {
            return ShapeGap(
                cause: unsampled.type,
                description: "the members of \(type) after \(unsampled.name) can't be found, since "
                    + "\(unsampled.type) rejects all samples. Conform \(unsampled.type) \(remedy)"
            )
        }
        guard members.isEmpty, value == nil else { return nil }
        return ShapeGap(
            cause: type,
            description:
                "the members of \(type) can't be found, as those of an enum with associated "
                + "values. Conform \(type) \(remedy)"
        )
    }

    func noteOptional(_ name: String) { update(name) { $0.isRequired = false } }

    func noteNullable(_ name: String) { update(name) { $0.shape.isNullable = true } }

    func noteList() { isList = true }

    func noteElement<T: Decodable>(_ type: T.Type) { elements.append(book.shape(of: type)) }

    func noteSingle<T: Decodable>(_ type: T.Type) {
        // A type that decodes itself, like String, is a known scalar.
        single = single ?? book.shape(of: type)
    }

    /// Returns notes for the value of one member, or of each element.
    func nestedNotes(_ name: String?) -> ProbeNotes {
        let notes = ProbeNotes(book, nil)
        nested.append((name, notes))
        if let name { update(name) { _ in } }
        return notes
    }

    private func update(_ name: String, _ change: (inout Shape.Member) -> Void) {
        let place = members.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
        if let place { return change(&members[place]) }
        var member = Shape.Member(name: name, shape: Shape(.any), isRequired: true)
        change(&member)
        members.append(member)
    }

    /// The members that the type requests only for some values, or only encodes.
    private var others: [Shape.Member] {
        keyNames.filter { name in !members.contains { $0.name.hasSameBytes(as: name) } }
            .map { Shape.Member(name: $0, shape: Shape(.any), isRequired: false) }
    }

    func shape(isWhole: Bool) -> Shape {
        for (name, notes) in nested {
            let shape = notes.shape(isWhole: isWhole)
            if let name { update(name) { $0.shape = shape } } else { elements.append(shape) }
        }
        var shape: Shape
        if let single {
            shape = single
        } else if isList {
            let isFixed = isWhole && !isEndless
            shape = isFixed ? .fixedList(elements) : Shape(.array(elements.first ?? Shape(.any)))
        } else if let value, members.isEmpty {
            shape = Shape(.map(value))
        } else if isKeyed, !members.isEmpty || isWhole {
            let isOpen = !isWhole || asksForKeys || hasUnknownKeys
            shape = Shape(.object(members + (isOpen ? [] : others), isOpen: isOpen))
        } else {
            shape = Shape(.any)
        }
        shape.isNullable = shape.isNullable || isNullable
        shape.isSupplied = shape.isSupplied || isSupplied
        return shape
    }
}

/// The cause of unknown members in a type's shape.
struct ShapeGap {
    /// The type that rejects all samples.
    let cause: Any.Type
    /// The gap and the remedy.
    let description: String
}
