import HTTPSyntax
import Locking
import Synchronization
import Telemetry

/// One loop's request counts and durations by route, method and status.
///
/// Routes are numbers, so that clients can't create series with the text of their requests. A
/// series is created at its first count. Counting costs a few loads and stores, without a lock.
///
/// `@unchecked Sendable`: only the loop's thread accesses `entries`. Other threads read a series
/// through `published`, and its counts are atomic.
final class RequestCounters: @unchecked Sendable {
    /// The route, method and status that a series counts.
    struct Key: Hashable, Sendable {
        let bits: UInt64

        @inline(__always)
        init(route: Int, method: UInt8, status: UInt16, isCall: Bool) {
            bits =
                UInt64(truncatingIfNeeded: route) << 32 | UInt64(method) << 24
                | UInt64(status) << 8 | (isCall ? 1 : 0)
        }

        var route: Int { Int(bits >> 32) }
        var method: UInt8 { UInt8(truncatingIfNeeded: bits >> 24) }
        var status: UInt16 { UInt16(truncatingIfNeeded: bits >> 8) }
        /// Whether an action was performed, with any outcome.
        var isCall: Bool { bits & 1 == 1 }
    }

    /// A number of requests by duration, and the sum of their durations.
    struct Total: Sendable, Equatable {
        var counts = Array(repeating: 0, count: DurationBuckets.nanoseconds.count + 1)
        var nanoseconds = 0

        init() {}
    }

    /// `@unchecked Sendable`: the pointer's targets are atomic.
    private struct Entry: @unchecked Sendable {
        let key: Key
        /// One count per bucket, then the sum of the durations in nanoseconds.
        let cells: UnsafeMutablePointer<Atomic<Int>>
    }

    /// The index of the sum, after the buckets and the one beyond all limits.
    private static let sum = DurationBuckets.count + 1
    /// The limit on series, which then use 0.7 MiB.
    private static let limit = 4096

    @exclusivity(unchecked) private var entries: UnsafeMutablePointer<Entry>
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var capacity = 16
    private let published = Locked<[Entry]>([])

    init() {
        entries = .allocate(capacity: capacity)
    }

    deinit {
        for index in 0..<count {
            entries[index].cells.deinitialize(count: Self.sum + 1)
            entries[index].cells.deallocate()
        }
        entries.deallocate()
    }

    /// Counts a request and its duration.
    @inline(__always)
    func count(_ key: Key, nanoseconds: Int) {
        if count > 0, entries[0].key.bits == key.bits {
            return add(entries[0].cells, nanoseconds)
        }
        countOther(key, nanoseconds)
    }

    @inline(never)
    private func countOther(_ key: Key, _ nanoseconds: Int) {
        for index in 0..<count where entries[index].key.bits == key.bits {
            add(entries[index].cells, nanoseconds)
            // Frequent series move to the front.
            let ahead = index / 2
            (entries[index], entries[ahead]) = (entries[ahead], entries[index])
            return
        }
        guard let cells = insert(key) else { return }
        add(cells, nanoseconds)
    }

    @inline(__always)
    private func add(_ cells: UnsafeMutablePointer<Atomic<Int>>, _ nanoseconds: Int) {
        // Most requests are in the first bucket. They skip the table, which costs a `once` check.
        guard nanoseconds > DurationBuckets.first else { return add(cells, 0, nanoseconds) }
        let bounds = DurationBuckets.nanoseconds
        add(cells, bounds.firstIndex { nanoseconds <= $0 } ?? bounds.count, nanoseconds)
    }

    @inline(__always)
    private func add(
        _ cells: UnsafeMutablePointer<Atomic<Int>>,
        _ bucket: Int,
        _ nanoseconds: Int
    ) {
        let count = cells[bucket].load(ordering: .relaxed)
        cells[bucket].store(count &+ 1, ordering: .relaxed)
        let total = cells[Self.sum].load(ordering: .relaxed)
        cells[Self.sum].store(total &+ nanoseconds, ordering: .relaxed)
    }

    private func insert(_ key: Key) -> UnsafeMutablePointer<Atomic<Int>>? {
        guard count < Self.limit else { return nil }
        if count == capacity {
            let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
            larger.moveInitialize(from: entries, count: count)
            entries.deallocate()
            entries = larger
            capacity *= 2
        }
        let cells = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: Self.sum + 1)
        for index in 0...Self.sum { (cells + index).initialize(to: Atomic(0)) }
        let entry = Entry(key: key, cells: cells)
        (entries + count).initialize(to: entry)
        count += 1
        published.withLock { $0.append(entry) }
        return cells
    }

    /// Returns the counts so far, on any thread.
    func totals() -> [(key: Key, total: Total)] {
        published.withLock { $0 }.map { entry in
            var total = Total()
            for index in total.counts.indices {
                total.counts[index] = entry.cells[index].load(ordering: .relaxed)
            }
            total.nanoseconds = entry.cells[Self.sum].load(ordering: .relaxed)
            return (entry.key, total)
        }
    }
}

extension RequestSubject {
    /// The series that counts the request with a status.
    @inline(__always)
    func key(_ method: Method, _ status: UInt16) -> RequestCounters.Key {
        RequestCounters.Key(route: route, method: method.rawValue, status: status, isCall: isCall)
    }
}
