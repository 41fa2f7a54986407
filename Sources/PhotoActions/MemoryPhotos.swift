import Locking

/// Photos in memory: gone with the process.
public final class MemoryPhotos: Sendable {
    /// A class: changing a struct within a dictionary took three allocations.
    fileprivate final class Entry {
        let photo: Photo
        var likes = 0
        var likesByUser: [String: Int] = [:]
        var watchers: [Int: AsyncThrowingStream<Likes, any Error>.Continuation] = [:]
        var watches = 0

        init(photo: Photo) { self.photo = photo }
    }

    private let entries: Locked<[Int: Entry]>

    /// A store with a few photos, 42 among them.
    public init() {
        let first = Photo.first.map { ($0.id, Entry(photo: $0)) }
        entries = Locked(Dictionary(uniqueKeysWithValues: first))
    }

    func list(limit: Int, after: Int) -> [Photo] {
        entries.withLock { entries in
            entries.values.map(\.photo).filter { $0.id > after }.sorted { $0.id < $1.id }
                .prefix(limit).map(\.self)
        }
    }

    func photo(_ id: Int) throws -> Photo {
        guard let photo = entries.withLock({ $0[id]?.photo }) else {
            throw Validation.missing(id)
        }
        return photo
    }

    func add(title: String) -> Photo {
        entries.withLock { entries in
            let photo = Photo(id: (entries.keys.max() ?? 0) + 1, title: title)
            entries[photo.id] = Entry(photo: photo)
            return photo
        }
    }

    /// Adds 1 or -1 to the likes that a user gave; nobody gave less than none.
    func changeLikes(of id: Int, by change: Int, user: String?) throws -> Likes {
        let likes = entries.withLock { $0[id]?.changeLikes(by: change, user: user ?? "") }
        guard let likes else { throw Validation.missing(id) }
        return Likes(photo: id, likes: likes)
    }

    /// The likes of a photo, then each number that they become; of what comes faster than it is
    /// read, the newest.
    func watchLikes(of id: Int) throws -> AsyncThrowingStream<Likes, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: Likes.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        guard let watch = entries.withLock({ $0[id]?.watch(continuation) }) else {
            throw Validation.missing(id)
        }
        continuation.onTermination = { [weak self] _ in
            self?.entries.withLock { _ = $0[id]?.watchers.removeValue(forKey: watch) }
        }
        return stream
    }

    /// How many watch the likes of a photo.
    func watchers(of id: Int) -> Int { entries.withLock { $0[id]?.watchers.count ?? 0 } }
}

extension MemoryPhotos.Entry {
    fileprivate func changeLikes(by change: Int, user: String) -> Int {
        defer {
            for watcher in watchers.values { watcher.yield(Likes(photo: photo.id, likes: likes)) }
        }
        if change > 0 {
            likesByUser[user, default: 0] += change
            likes += change
            return likes
        }
        let given = likesByUser[user, default: 0]
        let changed = max(0, given + change)
        likesByUser[user] = changed == 0 ? nil : changed
        likes += changed - given
        return likes
    }

    /// Tells a watcher the likes there are, and those there will be.
    fileprivate func watch(
        _ watcher: AsyncThrowingStream<Likes, any Error>.Continuation
    ) -> Int {
        watches += 1
        watchers[watches] = watcher
        watcher.yield(Likes(photo: photo.id, likes: likes))
        return watches
    }
}
