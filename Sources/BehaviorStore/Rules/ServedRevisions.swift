import Digests
import Targeting
import Glibc
import Locking

/// The live documents of a server as a store moves them, each forward only.
final class ServedRevisions: Sendable {
    private let documents: LiveBehaviors
    private let file: BehaviorFile?
    private let served = Locked(Served())

    private struct Served {
        /// The numbers of the revisions that are live, by their documents' names.
        var numbers: [String: Int] = [:]
        /// Which of the stores that have taken one another's place they are of.
        var epoch = 0
    }

    /// What a file says stays what is live of `default` until the store has that document.
    init(_ documents: LiveBehaviors, insteadOf file: BehaviorFile?) {
        self.documents = documents
        self.file = file
    }

    /// The number of the revision that is live; 0 where there is none, or a file's.
    func number(of name: String) -> Int { served.withLock { $0.numbers[name] ?? 0 } }

    /// Moves on as another store takes the place of the one before.
    var epoch: Int { served.withLock { $0.epoch } }

    /// Serves no documents any more but those, until others come in their place, with whichever numbers:
    /// another store has taken the place of the one that had them.
    func beginAnew(with names: Set<String>) {
        served.withLock { served in
            served.epoch += 1
            for name in served.numbers.keys {
                let stays = names.contains(name)
                served.numbers[name] = stays ? 0 : nil
                if !stays { withdraw(name) }
            }
        }
    }

    private func withdraw(_ name: String) {
        // That one has a path of its own, whatever is there.
        if name == LiveBehaviors.defaultName {
            documents[name]?.move(to: nil)
        } else {
            documents[name] = nil
        }
    }

    /// Serves nothing in place of a document that is live, and can't be served, until it can be: nothing
    /// that nobody has published.
    func lack(_ name: String) {
        served.withLock { served in
            guard served.numbers[name] == nil else { return }
            if name == LiveBehaviors.defaultName { file?.yield() }
            if let live = documents[name] {
                live.move(to: nil)
            } else {
                documents[name] = LiveBehavior(nil)
            }
        }
    }

    /// Makes a revision live, unless it or a later one is already; returns whether it is.
    ///
    /// It is compressed here, and compiled unless it is already: too slow for a thread that has requests to
    /// answer. What was read in another ``epoch`` is another store's, and isn't taken.
    ///
    /// - Throws: where it is no document that can be served, or not the one that was put.
    func take(_ live: LiveRevision, of epoch: Int) throws -> Bool {
        let info = live.revision.info
        let name = info.key.name
        guard number(of: name) < info.number else { return false }
        guard live.isVerified || Hexadecimal.sha256(live.revision.bytes) == info.digest else {
            throw BehaviorStoreError.unavailable("its bytes aren't those that were put")
        }
        // A time to come would be later than the answers' own (RFC 9110 §8.8.2.1): whoever publishes
        // may have another clock.
        var made = try BehaviorRevision(
            of: live.behavior ?? TargetedBehavior(json: live.revision.bytes),
            live.revision.bytes,
            lastModified: min(live.since, time(nil))
        )
        made.number = info.number
        let revision = made
        return served.withLock { served in
            guard served.epoch == epoch, served.numbers[name] ?? 0 < info.number else {
                return false
            }
            if name == LiveBehaviors.defaultName { file?.yield() }
            served.numbers[name] = info.number
            if let live = documents[name] {
                live.move(to: revision)
            } else {
                documents[name] = LiveBehavior(revision)
            }
            return true
        }
    }
}
