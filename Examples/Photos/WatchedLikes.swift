import Locking
import PhotoContracts
import PostgreSQL

/// The streams of photos' likes that follow the notifications of a database.
///
/// A single task reads the number of a photo's likes after each notification. So a stream never gets
/// an older number after a newer one.
final class WatchedLikes: Sendable {
    private let client: PostgreSQLClient
    private let channel: String
    private let read: @Sendable (Int) async throws -> Likes?
    private let watchers = LikesWatchers()
    /// The numbers of photos whose likes may have changed.
    private let changed: AsyncStream<Int>.Continuation
    private let changes: AsyncStream<Int>
    private let tasks = Locked<[Task<Void, Never>]>([])

    init(
        _ client: PostgreSQLClient,
        channel: String,
        read: @escaping @Sendable (Int) async throws -> Likes?
    ) {
        self.client = client
        self.channel = channel
        self.read = read
        (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1000))
    }

    deinit { for task in tasks.withLock({ $0 }) { task.cancel() } }

    /// Returns a stream of the photo's likes: the current number, then each later one.
    func watch(_ photo: Int) -> AsyncThrowingStream<Likes, any Error> {
        begin()
        let stream = watchers.watch(photo)
        changed.yield(photo)
        return stream
    }

    /// Starts the tasks with the first stream.
    private func begin() {
        tasks.withLock { tasks in
            guard tasks.isEmpty, let notifications = try? client.notifications(on: channel) else {
                return
            }
            tasks = [
                Task { [watchers, changed] in
                    for await notification in notifications {
                        switch notification {
                        case .notified(let photo):
                            if let photo = Int(photo) { changed.yield(photo) }
                        // Changes during a loss had no reader.
                        case .listening: watchers.photos.forEach { changed.yield($0) }
                        case .lost: break
                        }
                    }
                },
                Task { [watchers, changes, read] in
                    for await photo in changes where watchers.count(of: photo) > 0 {
                        // After an error the next notification, or the next connection, reads it again.
                        if let likes = try? await read(photo) { watchers.tell(likes) }
                    }
                },
            ]
        }
    }
}
