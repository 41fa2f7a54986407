extension JSON {
    /// The members of a JSON object, in order, with unique names.
    ///
    /// Names are compared byte by byte (RFC 8259, section 8.3), so two encodings of one accented
    /// letter are different names. A lookup scans up to 16 members and uses a hash table beyond.
    /// Removing a member takes time linear in the object. Equality ignores the order.
    public struct Object: Sendable {
        private var members: [(name: String, value: JSON)] = []
        /// The index of each name; empty while a linear scan is faster.
        private var places: [ExactName: Int] = [:]

        /// Up to this many members a linear scan beats hashing.
        private static let linearCount = 16

        /// Creates an object without members.
        public init() {}

        /// Creates an object; of several members with one name, the last wins.
        public init(_ members: some Sequence<(String, JSON)>) {
            for (name, value) in members { self[name] = value }
        }

        /// Creates an object from members with distinct names.
        init(distinct members: [(name: String, value: JSON)]) {
            self.members = members
            index()
        }

        /// The number of members.
        public var count: Int { members.count }

        /// Whether there are no members.
        public var isEmpty: Bool { members.isEmpty }

        /// The names, in order.
        public var names: [String] { members.map(\.name) }

        /// The member of this name; a new one is appended; nil removes it.
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
    /// Creates an object; of several members with one name, the last wins.
    public init(dictionaryLiteral members: (String, JSON)...) { self.init(members) }

    /// Returns an iterator over the members, in order.
    public func makeIterator() -> IndexingIterator<[(name: String, value: JSON)]> {
        members.makeIterator()
    }

    /// The number of members.
    public var underestimatedCount: Int { members.count }
}

extension JSON.Object: Hashable {
    /// Whether both have equal members, in any order.
    public static func == (left: JSON.Object, right: JSON.Object) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.name] == $0.value }
    }

    /// Feeds the members to a hasher regardless of their order.
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
