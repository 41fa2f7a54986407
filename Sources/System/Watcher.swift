import Glibc
import Locking

/// Notifies its subscribers when to check files for changes.
///
/// inotify(7) reports changes at once. A path is followed by name, so a rename over it or a swapped
/// symbolic link counts as a change. In addition each subscriber checks every second. That covers
/// changes by other machines on network file systems, and all changes once inotify's limits are
/// reached.
package final class Watcher: Sendable {
    package static let shared = Watcher()

    /// The type of inotify_add_watch(2), which a test can replace.
    package typealias AddWatch = @Sendable (CInt, UnsafePointer<CChar>, UInt32) -> CInt

    private struct Subscription {
        let targets: [Target]
        let looks: AsyncStream<Void>.Continuation
    }

    private struct State {
        var subscriptions: [Int: Subscription] = [:]
        var lastSubscription = 0
        /// The places of each subscription, by the watch descriptor of their folder.
        var places: [CInt: [Int: [Place]]] = [:]
        /// The inotify descriptor; nil without subscriptions, or if the system provides no more.
        var notifier: FileDescriptor?
        var isRunning = false
    }

    private let state = Locked(State())
    private let pause: Duration
    private let addWatch: AddWatch

    /// The microseconds in which a burst of changes counts as one: editors rename, write, and
    /// rename again.
    private static let burst: UInt32 = 20_000

    /// Creates a separate watcher with its own interval.
    package init(
        pause: Duration = .seconds(1),
        addWatch: @escaping AddWatch = { inotify_add_watch($0, $1, $2) }
    ) {
        self.pause = pause
        self.addWatch = addWatch
    }

    /// The times to check the targets: now, after each change, and every second.
    ///
    /// A check may find no change, so the reader compares stamps. Changes during a check lead to
    /// another one.
    package func looks(at targets: [Target]) -> AsyncStream<Void> {
        let (stream, looks) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let id = state.withLock { state in
            state.lastSubscription += 1
            let id = state.lastSubscription
            state.subscriptions[id] = Subscription(targets: targets, looks: looks)
            if !state.isRunning { start(&state) }
            follow(id, &state)
            return id
        }
        looks.onTermination = { [weak self] _ in
            self?.state.withLock { state in
                state.subscriptions[id] = nil
                self?.follow(id, &state)
            }
        }
        looks.yield()
        return stream
    }

    /// Starts the thread, which ends when there is no subscription.
    private func start(_ state: inout State) {
        let raw = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
        state.notifier = raw >= 0 ? FileDescriptor(raw) : nil
        state.isRunning =
            (try? Thread.start { [self, notifier = state.notifier] in run(notifier) }) != nil
    }

    /// Updates the watches of a subscription to its targets' current places.
    private func follow(_ id: Int, _ state: inout State) {
        guard let notifier = state.notifier else { return }
        var places: [CInt: [Place]] = [:]
        for place in state.subscriptions[id]?.targets.flatMap(\.places) ?? [] {
            let events = place.events | UInt32(IN_MASK_ADD) | UInt32(IN_ONLYDIR)
            let number = addWatch(notifier.raw, place.folder, events)
            if number >= 0 { places[number, default: []].append(place) }
        }
        for number in Set(state.places.keys).union(places.keys) {
            state.places[number, default: [:]][id] = places[number]
            guard state.places[number]?.isEmpty == true else { continue }
            state.places[number] = nil
            inotify_rm_watch(notifier.raw, number)
        }
    }

    // MARK: The thread

    private func run(_ notifier: FileDescriptor?) {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 8)
        defer { room.deallocate() }
        var due = ContinuousClock.now + pause
        while true {
            let isChanged = wait(until: due, notifier)
            if isChanged { usleep(Self.burst) }
            let changes = isChanged ? notifier.map { Self.read($0, room) } ?? [] : []
            let isDue = ContinuousClock.now >= due
            if isDue { due = .now + pause }
            let looks = state.withLock { state -> [AsyncStream<Void>.Continuation]? in
                guard !state.subscriptions.isEmpty else {
                    (state.isRunning, state.notifier, state.places) = (false, nil, [:])
                    return nil
                }
                return state.subscriptions.keys
                    .filter { id in isDue || changes.contains { $0.concerns(id, state.places) } }
                    .compactMap { id in
                        // Watches are updated before the reader checks, so that no later change is
                        // missed.
                        follow(id, &state)
                        return state.subscriptions[id]?.looks
                    }
            }
            guard let looks else { return }
            for look in looks { look.yield() }
        }
    }

    /// Waits for changes; returns false at the deadline.
    private func wait(until due: ContinuousClock.Instant, _ notifier: FileDescriptor?) -> Bool {
        let milliseconds = max(0, (due - .now) / .milliseconds(1)).rounded(.up)
        var entry = pollfd(fd: notifier?.raw ?? -1, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, CInt(milliseconds)) > 0
    }

    /// An inotify event.
    private struct Change {
        let folder: CInt
        let events: UInt32
        /// The name in the folder; empty for the folder itself.
        let name: String

        func concerns(_ id: Int, _ places: [CInt: [Int: [Place]]]) -> Bool {
            // The queue has overflowed, so anything may have changed.
            events & UInt32(IN_Q_OVERFLOW) != 0
                || places[folder]?[id]?.contains { $0.counts(events, of: name) } ?? false
        }
    }

    private static func read(
        _ notifier: FileDescriptor,
        _ room: UnsafeMutableRawBufferPointer
    ) -> [Change] {
        var changes: [Change] = []
        while case let count = Glibc.read(notifier.raw, room.baseAddress, room.count), count > 0 {
            var offset = 0
            while offset < count {
                let event = room.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                offset += MemoryLayout<inotify_event>.size
                let name = room[offset..<offset + Int(event.len)].prefix { $0 != 0 }
                offset += Int(event.len)
                changes.append(
                    Change(
                        folder: event.wd,
                        events: event.mask,
                        name: String(decoding: name, as: UTF8.self)
                    )
                )
            }
        }
        return changes
    }
}
