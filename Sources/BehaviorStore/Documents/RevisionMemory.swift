import Locking

/// Values made from the bytes of live revisions, one for each document.
///
/// A value is made once for a revision, and replaced by that of the next one.
package final class RevisionMemory<Value: Sendable>: Sendable {
    /// Identifies a revision: two of a document with the same identity have the same bytes.
    package enum Identity: Hashable, Sendable {
        /// A served revision: its entity tag, which depends only on the bytes.
        case served(etag: String)
        /// A stored revision. The time when it went live tells it from one of an earlier history.
        case stored(Int, since: Int?)
    }

    private struct Memory {
        var entries: [DocumentKey: (identity: Identity, value: Value, size: Int)] = [:]
        var size = 0
    }

    private let memory = Locked(Memory())
    private let maximumSize: Int
    private let size: @Sendable (Value) -> Int

    /// Makes an empty memory.
    ///
    /// - Parameters:
    ///   - maximumSize: the size at which all values are removed, also those of removed documents.
    ///   - size: returns the size of a value.
    package init(maximumSize: Int = 16 << 20, size: @escaping @Sendable (Value) -> Int) {
        self.maximumSize = maximumSize
        self.size = size
    }

    /// Returns the value of a document's live revision; `make` reads the revision if it isn't known.
    package func value(
        of identity: Identity,
        at key: DocumentKey,
        _ make: () async throws -> Value
    ) async throws -> Value {
        let known = memory.withLock { $0.entries[key] }
        if let known, known.identity == identity { return known.value }
        let value = try await make()
        let size = size(value)
        memory.withLock { memory in
            memory.size -= memory.entries.removeValue(forKey: key)?.size ?? 0
            if memory.size + size > maximumSize { memory = Memory() }
            guard size <= maximumSize else { return }
            memory.entries[key] = (identity, value, size)
            memory.size += size
        }
        return value
    }
}
