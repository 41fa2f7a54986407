import Locking
import PhotoContracts

/// Photos in memory; they are lost when the process ends.
final class MemoryPhotos: Sendable {
    /// A class, since changing a struct in a dictionary took three allocations.
    fileprivate final class Entry {
        let photo: Photo
        var likes = 0
        var likesByUser: [String: Int] = [:]

        init(photo: Photo) { self.photo = photo }
    }

    private let entries: Locked<[Int: Entry]>
    private let watchers = LikesWatchers()

    /// A store with a few photos, 42 among them.
    init() {
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

    /// Adds 1 or -1 to a user's likes of a photo, which stay at 0 or more.
    func changeLikes(of id: Int, by change: Int, user: String?) throws -> Likes {
        try entries.withLock { entries in
            guard let entry = entries[id] else { throw Validation.missing(id) }
            let likes = entry.changeLikes(by: change, user: user ?? "")
            // Within the lock, so that streams get changes in order.
            watchers.tell(Likes(photo: id, likes: likes))
            return Likes(photo: id, likes: likes)
        }
    }

    /// Streams the number of a photo's likes, then each change; buffers only the newest.
    ///
    /// It begins with the first change if `event` is that of the current number.
    func watchLikes(
        of id: Int,
        after event: String? = nil
    ) throws -> AsyncThrowingStream<Likes, any Error> {
        try entries.withLock { entries in
            guard let entry = entries[id] else { throw Validation.missing(id) }
            return watchers.watch(Likes(photo: id, likes: entry.likes), after: event)
        }
    }

    /// Returns the number of streams of a photo's likes.
    func watchers(of id: Int) -> Int { watchers.count(of: id) }
}

extension MemoryPhotos.Entry {
    fileprivate func changeLikes(by change: Int, user: String) -> Int {
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
}
