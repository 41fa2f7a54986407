/// A small thing that is kept beside the documents: a draft's approvals, a schedule, an override.
///
/// Whoever keeps records needn't know what they mean: they are texts under a key of four parts.
package struct StoredRecord: Sendable, Equatable {
    /// What tells it from others.
    package var key: RecordKey
    /// Its JSON.
    package var value: String

    package init(_ key: RecordKey, _ value: String) {
        self.key = key
        self.value = value
    }

    /// What its text says, by the reading that is given.
    ///
    /// - Throws: ``BehaviorStoreError/unavailable(_:)`` where it can't be read: it isn't as good as none.
    func read<Value>(_ read: (String) -> Value?) throws(BehaviorStoreError) -> Value {
        guard let value = read(value) else { throw .unavailable("\(key) can't be read") }
        return value
    }
}

/// What tells a record from others.
package struct RecordKey: Sendable, Hashable, Comparable {
    /// What it is: `draft`, `schedule`, `override`; see ``RecordKind``.
    package var kind: RecordKind
    /// Of which environment; empty where it is of none.
    package var environment: String
    /// Of which document; empty where it is of none.
    package var name: String
    /// Which of several; may be empty.
    package var item: String

    package init(_ kind: RecordKind, _ environment: String, _ name: String, _ item: String = "") {
        self.kind = kind
        self.environment = environment
        self.name = name
        self.item = item
    }

    /// One of a document.
    package init(_ kind: RecordKind, of key: DocumentKey, _ item: String = "") {
        self.init(kind, key.environment, key.name, item)
    }

    /// By kind, environment, name and item, each by its bytes.
    package static func < (one: RecordKey, other: RecordKey) -> Bool {
        (one.kind.rawValue, one.environment, one.name, one.item)
            < (other.kind.rawValue, other.environment, other.name, other.item)
    }
}

/// What records are there for.
package enum RecordKind: String, CaseIterable, Sendable {
    /// A revision that never was live, by its number, and who has approved of it.
    case draft
    /// What is to be done at a time to come, by its number.
    case schedule
    /// What an environment has otherwise than the one that it is promoted from.
    case override
    /// What an environment asks for before something goes live in it.
    case rules
    /// Where a promoted revision comes from, by its number.
    case origin
    /// What a revision is made of beside that, by its number.
    case basis
}
