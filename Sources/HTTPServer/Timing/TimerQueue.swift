/// The entries with a timer of one kind, in order of expiry.
///
/// All timers of a kind have the same timeout, so the order of arming is the order of expiry.
/// Arming and disarming take a few stores, regardless of the count, and only the first entry is
/// checked. The queue is a doubly linked list through the entries, which the loop's table owns.
struct TimerQueue {
    let milliseconds: Int
    private var head: Unmanaged<TimerEntry>?
    private var tail: Unmanaged<TimerEntry>?

    init(milliseconds: Int) {
        self.milliseconds = milliseconds
    }

    /// The entry whose timer expires first.
    var first: TimerEntry? { head?.takeUnretainedValue() }

    /// The time of the first expiry in the loop's milliseconds; `Int.max` if the queue is empty.
    @inline(__always)
    var due: Int { head.map { $0._withUnsafeGuaranteedRef { $0.deadline } } ?? .max }

    mutating func append(_ entry: TimerEntry) {
        let place = Unmanaged.passUnretained(entry)
        entry.previous = tail
        entry.next = nil
        if let tail { tail._withUnsafeGuaranteedRef { $0.next = place } } else { head = place }
        tail = place
    }

    mutating func remove(_ entry: TimerEntry) {
        let (previous, next) = (entry.previous, entry.next)
        if let previous {
            previous._withUnsafeGuaranteedRef { $0.next = next }
        } else {
            head = next
        }
        if let next {
            next._withUnsafeGuaranteedRef { $0.previous = previous }
        } else {
            tail = previous
        }
    }
}
