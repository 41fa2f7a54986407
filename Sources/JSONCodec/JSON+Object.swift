extension JSON {
    /// The members of a JSON object, in order, each name at most once.
    ///
    /// Names are compared byte by byte, as RFC 8259 (section 8.3) has it: two spellings of one
    /// accented letter are two names. A look-up is a linear scan up to 16 members and hashed
    /// beyond; removing a member costs the length of the object. Equality ignores the order.
    public struct Object: Sendable {
        private var members: [(name: String, value: JSON)] = []
        /// Where each name is; empty while a linear scan is faster.
        private var places: [ExactName: Int] = [:]

        /// Up to this many members a linear scan beats hashing.
        private static let linearCount = 16

        /// Creates an object without members.
        public init() {}

        /// Creates an object of those members; of several with one name, the last wins.
        public init(_ members: some Sequence<(String, JSON)>) {
            for (name, value) in members { self[name] = value }
        }

        /// Takes members whose names are known to differ.
        init(distinct members: [(name: String, value: JSON)]) {
            self.members = members
            index()
        }

        /// How many members there are.
        public var count: Int { members.count }

        /// Whether there are no members.
        public var isEmpty: Bool { members.isEmpty }

        /// The names, in order.
        public var names: [String] { members.map(\.name) }

        /// The member of that name; a new one goes to the end, and nil removes it.
        public subscript(name: String) -> JSON? {
            get { place(of: name).map { members[$0].value } }
            set {
                switch (place(of: name), newValue) {
                case (let place?, let value?):
                    members[place].value = value
                case (let place?, nil):
                    members.remove(at: place)
                    index()
                case (nil, let value?):
                    members.append((name, value))
                    if places.isEmpty {
                        index()
                    } else {
                        places[ExactName(text: name)] = members.count - 1
                    }
                case (nil, nil):
                    break
                }
            }
        }

        private func place(of name: String) -> Int? {
            if places.isEmpty {
                let name = ExactName(text: name)
                return members.firstIndex { ExactName(text: $0.name) == name }
            }
            return places[ExactName(text: name)]
        }

        private mutating func index() {
            places.removeAll(keepingCapacity: members.count > Self.linearCount)
            guard members.count > Self.linearCount else { return }
            places.reserveCapacity(members.count)
            for (place, member) in members.enumerated() {
                places[ExactName(text: member.name)] = place
            }
        }
    }
}

extension JSON.Object: Sequence, ExpressibleByDictionaryLiteral {
    /// Creates an object of those members; of several with one name, the last wins.
    public init(dictionaryLiteral members: (String, JSON)...) { self.init(members) }

    /// An iterator over the members, in order.
    public func makeIterator() -> IndexingIterator<[(name: String, value: JSON)]> {
        members.makeIterator()
    }

    /// How many members there are.
    public var underestimatedCount: Int { members.count }
}

extension JSON.Object: Hashable {
    /// Whether both hold equal members, in whatever order.
    public static func == (left: JSON.Object, right: JSON.Object) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.name] == $0.value }
    }

    /// Feeds the members to a hasher so that their order has no effect.
    public func hash(into hasher: inout Hasher) {
        var sum = 0
        for (name, value) in self {
            var member = Hasher()
            member.combine(ExactName(text: name))
            member.combine(value)
            sum &+= member.finalize()
        }
        hasher.combine(sum)
    }
}

/// A name that equals another only when their UTF-8 bytes do.
///
/// A `String` alone equals every canonically equivalent one, which would make two members of one.
struct ExactName: Hashable {
    var text: String

    static func == (left: ExactName, right: ExactName) -> Bool {
        left.text.utf8.count == right.text.utf8.count
            && left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
