import Locking

/// Who watches the likes of which photo.
final class LikesWatchers: Sendable {
    private typealias Watcher = AsyncThrowingStream<Likes, any Error>.Continuation

    private struct State {
        var watchers: [Int: [Int: Watcher]] = [:]
        var made = 0
    }

    private let state = Locked(State())

    /// A stream of these likes, then of those that are told; of what comes faster than it is read,
    /// the newest.
    func watch(_ likes: Likes) -> AsyncThrowingStream<Likes, any Error> {
        let (stream, watcher) = AsyncThrowingStream.makeStream(
            of: Likes.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        watcher.yield(likes)
        let photo = likes.photo
        let number = state.withLock { state in
            state.made += 1
            state.watchers[photo, default: [:]][state.made] = watcher
            return state.made
        }
        watcher.onTermination = { [weak self] _ in self?.forget(number, of: photo) }
        return stream
    }

    /// Tells those who watch the photo.
    func tell(_ likes: Likes) {
        let watchers = state.withLock { $0.watchers[likes.photo] } ?? [:]
        for watcher in watchers.values { watcher.yield(likes) }
    }

    /// How many watch the likes of a photo.
    func count(of photo: Int) -> Int { state.withLock { $0.watchers[photo]?.count ?? 0 } }

    private func forget(_ number: Int, of photo: Int) {
        state.withLock { state in
            state.watchers[photo]?[number] = nil
            if state.watchers[photo]?.isEmpty ?? false { state.watchers[photo] = nil }
        }
    }
}
