/// The key of a stored output.
struct OutputKey: Hashable {
    private let caller: String?
    private let input: AnyHashable

    // Byte by byte: `String` equality would give one caller the outputs of another.
    static func == (left: OutputKey, right: OutputKey) -> Bool {
        let isSameCaller =
            switch (left.caller, right.caller) {
            case (let one?, let other?): one.utf8.elementsEqual(other.utf8)
            case (nil, nil): true
            default: false
            }
        return isSameCaller && left.input == right.input
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(caller)
        hasher.combine(input)
    }

    /// Creates the key of an input; nil if the input can't be a key.
    init?(_ input: some Sendable, caller: String?) {
        self.caller = caller
        if input is Void {
            self.input = 0
        } else if let input = input as? any Hashable {
            self.input = AnyHashable(input)
        } else if let input = input as? any Encodable, let bytes = Outputs.encoded(input) {
            self.input = bytes
        } else {
            return nil
        }
    }
}

/// The outputs in a cache, as a value.
///
/// All have the same lifetime, so the oldest is removed first, for its age or to make room.
struct CachedOutputs<Output: Sendable> {
    private struct Entry {
        let output: Output
        let size: Int
        let made: Duration
    }

    private let limits: PlugCache
    private var entries: [OutputKey: Entry] = [:]
    /// The keys by age, starting at `first`; a renewed key is in the list twice.
    private var order: [(key: OutputKey, made: Duration)] = []
    private var first = 0
    private var size = 0
    private var hits = 0
    private var misses = 0

    init(_ limits: PlugCache) { self.limits = limits }

    mutating func answer(_ key: OutputKey, at now: Duration) -> Output? {
        guard let entry = entries[key], now - entry.made < .seconds(limits.seconds) else {
            misses += 1
            return nil
        }
        hits += 1
        return entry.output
    }

    mutating func keep(_ output: Output, _ size: Int, for key: OutputKey, at now: Duration) {
        guard size <= limits.bytes else { return }
        if let old = entries.removeValue(forKey: key) { self.size -= old.size }
        entries[key] = Entry(output: output, size: size, made: now)
        self.size += size
        order.append((key, now))
        while first < order.count {
            let (key, made) = order[first]
            let entry = entries[key]
            let isCurrent = entry?.made == made
            let isOld = now - made >= .seconds(limits.seconds)
            let isTooMuch = entries.count > limits.entries || self.size > limits.bytes
            guard !isCurrent || isOld || isTooMuch else { break }
            if isCurrent, let entry {
                entries[key] = nil
                self.size -= entry.size
            }
            first += 1
        }
        if first * 2 > order.count {
            order.removeFirst(first)
            first = 0
        }
    }

    func state(at pointer: String) -> PlugState.Cache {
        PlugState.Cache(
            at: pointer,
            entries: entries.count,
            bytes: size,
            hits: hits,
            misses: misses
        )
    }
}
