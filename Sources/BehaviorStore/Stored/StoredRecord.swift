/// A small value that is stored beside the documents: a draft's approvals, a schedule, an override.
///
/// Stores don't interpret records: each is a text under a key of four parts.
package struct StoredRecord: Sendable, Equatable {
    /// Identifies the record.
    package var key: RecordKey
    /// The value as JSON.
    package var value: String

    package init(_ key: RecordKey, _ value: String) {
        self.key = key
        self.value = value
    }

    /// Decodes the value with a given function.
    ///
    /// - Throws: ``BehaviorStoreError/unavailable(_:)`` if it can't be decoded: that isn't treated
    ///   as a missing record.
    func read<Value>(_ read: (String) -> Value?) throws(BehaviorStoreError) -> Value {
        guard let value = read(value) else { throw .unavailable("\(key) can't be read") }
        return value
    }
}

/// Identifies a record.
package struct RecordKey: Sendable, Hashable, Comparable {
    /// The kind: `draft`, `schedule`, `override`; see ``RecordKind``.
    package var kind: RecordKind
    /// The environment; empty if the record has none.
    package var environment: String
    /// The document's name; empty if the record has none.
    package var name: String
    /// Distinguishes several records of one document; may be empty.
    package var item: String

    package init(_ kind: RecordKind, _ environment: String, _ name: String, _ item: String = "") {
        self.kind = kind
        self.environment = environment
        self.name = name
        self.item = item
    }

    /// Makes the key of a document's record.
    package init(_ kind: RecordKind, of key: DocumentKey, _ item: String = "") {
        self.init(kind, key.environment, key.name, item)
    }

    /// Orders by kind, environment, name and item, each by its bytes.
    package static func < (one: RecordKey, other: RecordKey) -> Bool {
        (one.kind.rawValue, one.environment, one.name, one.item)
            < (other.kind.rawValue, other.environment, other.name, other.item)
    }
}

extension RecordKey: CustomStringConvertible {
    /// For example `draft 2 of default in production`.
    package var description: String {
        let document = "\(name) in \(environment)"
        return switch kind {
        case .draft: "draft \(item) of \(document)"
        case .schedule: "schedule \(item) of \(document)"
        case .rules: "the rules of \(environment)"
        case .override: "the overrides of \(document)"
        case .basis: "the basis of revision \(item) of \(document)"
        case .origin: "the origin of revision \(item) of \(document)"
        }
    }
}

/// The purpose of a record.
package enum RecordKind: String, CaseIterable, Sendable {
    /// A revision that never was live, by its number, with its approvals.
    case draft
    /// A scheduled operation, by its number.
    case schedule
    /// An environment's differences from the one it is promoted from.
    case override
    /// An environment's requirements before a revision goes live.
    case rules
    /// The origin of a promoted revision, by its number.
    case origin
    /// The other sources of a revision's content, by its number.
    case basis
}
