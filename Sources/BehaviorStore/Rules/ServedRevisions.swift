import Glibc
import Locking

/// The live documents of a server as a store moves them, each forward only.
final class ServedRevisions: Sendable {
    private let documents: LiveBehaviors
    private let file: BehaviorFile?
    /// The numbers of the revisions that are live, by their documents' names.
    private let numbers = Locked<[String: Int]>([:])

    /// What a file says stays what is live of `default` until the store has that document.
    init(_ documents: LiveBehaviors, insteadOf file: BehaviorFile?) {
        self.documents = documents
        self.file = file
    }

    /// The number of the revision that is live; 0 where there is none, or a file's.
    func number(of name: String) -> Int { numbers.withLock { $0[name] ?? 0 } }

    /// Serves no documents any more but those, until others come in their place, with whichever numbers:
    /// another store has taken the place of the one that had them.
    func beginAnew(with names: Set<String>) {
        numbers.withLock { numbers in
            for name in numbers.keys {
                let stays = names.contains(name)
                numbers[name] = stays ? 0 : nil
                if !stays { documents[name] = nil }
            }
        }
    }

    /// Makes a revision live, unless it or a later one is already; returns whether it is.
    ///
    /// It is compiled and compressed here: nothing for a thread that has requests to answer.
    ///
    /// - Throws: where it is no document that can be served, or not the one that was put.
    func take(_ live: LiveRevision) throws -> Bool {
        let info = live.revision.info
        let name = info.key.name
        guard number(of: name) < info.number else { return false }
        guard Hexadecimal.sha256(live.revision.bytes) == info.digest else {
            throw BehaviorStoreError.unavailable("its bytes aren't those that were put")
        }
        // A time to come would be later than the answers' own (RFC 9110 §8.8.2.1): whoever publishes
        // may have another clock.
        var made = try BehaviorRevision(
            authored: live.revision.bytes,
            lastModified: min(live.since, time(nil))
        )
        made.number = info.number
        let revision = made
        return numbers.withLock { numbers in
            guard numbers[name] ?? 0 < info.number else { return false }
            if name == LiveBehaviors.defaultName { file?.yield() }
            numbers[name] = info.number
            if let live = documents[name] {
                live.move(to: revision)
            } else {
                documents[name] = LiveBehavior(revision)
            }
            return true
        }
    }
}
