import Digests
import Targeting
import Glibc
import Locking

/// The live documents of a server; a store only moves them forward.
final class LiveDocuments: Sendable {
    private let documents: LiveBehaviors
    private let file: BehaviorFile?
    private let served = Locked(Served())

    private struct Served {
        /// The numbers of the live revisions, by their documents' names.
        var numbers: [String: Int] = [:]
        /// The number of the store, counted over replacements.
        var epoch = 0
    }

    /// A file's revision is the live one of `default` until the store has that document.
    init(_ documents: LiveBehaviors, insteadOf file: BehaviorFile?) {
        self.documents = documents
        self.file = file
    }

    /// The number of the live revision; 0 if there is none, or if it is a file's.
    func number(of name: String) -> Int { served.withLock { $0.numbers[name] ?? 0 } }

    /// Increases when another store replaces the previous one.
    var epoch: Int { served.withLock { $0.epoch } }

    /// Prepares for a store that replaced the previous one: withdraws all other documents, and
    /// accepts any revision number for the named ones.
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
        // The default document has its own path, even without content.
        if name == LiveBehaviors.defaultName {
            documents[name]?.move(to: nil)
        } else {
            documents[name] = nil
        }
    }

    /// Withholds all documents until ``release()``: their store is unavailable.
    ///
    /// A file isn't served in place of the store's document, which may differ.
    func withhold() {
        documents.withhold(true)
        file?.withhold()
    }

    /// Serves the loaded documents, and the file if the store has no document in its place.
    func release() {
        file?.release()
        documents.withhold(false)
    }

    /// Marks a live document unservable until it loads.
    ///
    /// Nothing is served in its place, so that no unpublished content is served.
    func markUnservable(_ name: String) {
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

    /// Makes a revision live; returns false if it or a later one is live already.
    ///
    /// Compiles it if necessary and compresses it: too slow for an event loop's thread. A revision
    /// that was read in another ``epoch`` belongs to another store and is ignored.
    ///
    /// - Throws: an error if it can't be served, or doesn't match its digest.
    func take(_ live: LiveRevision, of epoch: Int) throws -> Bool {
        let info = live.revision.info
        let name = info.key.name
        guard number(of: name) < info.number else { return false }
        guard live.isVerified || Hexadecimal.sha256(live.revision.bytes) == info.digest else {
            throw BehaviorStoreError.unavailable("its bytes don't match its digest")
        }
        // A future time would be later than the response's own (RFC 9110 §8.8.2.1); the publishing
        // server's clock may differ.
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
