import Locking

/// A mark for changes that a follower couldn't read, and the retries that read them.
package final class UnreadChanges: Sendable {
    private static let shortestPause = Duration.milliseconds(400)
    private static let longestPause = Duration.seconds(5)

    private let exist = Locked(false)

    package init() {}

    /// Requests another look: a change may be unread.
    package func mark() { exist.withLock { $0 = true } }

    /// Clears the mark before a look.
    package func clear() { exist.withLock { $0 = false } }

    /// Looks again while changes are unread, until the task is cancelled.
    ///
    /// The pauses between two looks double from 400 ms to 5 s.
    package func retry(_ look: () async -> Void) async {
        var pause = Self.shortestPause
        while (try? await Task.sleep(for: pause)) != nil {
            guard exist.withLock({ $0 }) else {
                pause = Self.shortestPause
                continue
            }
            await look()
            pause = min(pause * 2, Self.longestPause)
        }
    }
}
