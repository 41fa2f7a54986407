import Locking
import PhotoContracts

/// The open streams of photos' likes.
final class LikesWatchers: Sendable {
    private typealias Watcher = AsyncThrowingStream<Likes, any Error>.Continuation

    private struct State {
        var watchers: [Int: [Int: Watcher]] = [:]
        var made = 0
    }

    private let state = Locked(State())

    /// Returns a stream of `likes` and of each later change of the photo's likes.
    ///
    /// It buffers only the newest value. `likes` isn't in the stream if `event` is its event.
    func watch(_ likes: Likes, after event: String?) -> AsyncThrowingStream<Likes, any Error> {
        watch(likes.photo, first: event == likes.eventID ? nil : likes)
    }

    /// Returns a stream of each later change of a photo's likes.
    func watch(_ photo: Int) -> AsyncThrowingStream<Likes, any Error> {
        watch(photo, first: nil)
    }

    private func watch(_ photo: Int, first: Likes?) -> AsyncThrowingStream<Likes, any Error> {
        let (stream, watcher) = AsyncThrowingStream.makeStream(
            of: Likes.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        if let first { watcher.yield(first) }
        let number = state.withLock { state in
            state.made += 1
            state.watchers[photo, default: [:]][state.made] = watcher
            return state.made
        }
        watcher.onTermination = { [weak self] _ in self?.forget(number, of: photo) }
        return stream
    }

    /// Sends a change to the photo's streams.
    func tell(_ likes: Likes) {
        let watchers = state.withLock { $0.watchers[likes.photo] } ?? [:]
        for watcher in watchers.values { watcher.yield(likes) }
    }

    /// The numbers of the photos that have streams.
    var photos: [Int] { state.withLock { Array($0.watchers.keys) } }

    /// Returns the number of a photo's streams.
    func count(of photo: Int) -> Int { state.withLock { $0.watchers[photo]?.count ?? 0 } }

    private func forget(_ number: Int, of photo: Int) {
        state.withLock { state in
            state.watchers[photo]?[number] = nil
            if state.watchers[photo]?.isEmpty ?? false { state.watchers[photo] = nil }
        }
    }
}
