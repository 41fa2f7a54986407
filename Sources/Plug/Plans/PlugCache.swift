import Locking

/// A store for a plan's outputs: `{"cache": {"plug": "one", "seconds": 60}}`.
///
/// Only a ``SafeAction`` allows a cache. An output is stored for its caller (``PlugKey``), or for
/// all callers if the cache is `shared`. The cache of a ``CallerSpecific`` action can't be shared. A
/// change of the plan empties the cache.
public struct PlugCache: Sendable, Hashable {
    /// The plan that is called if the cache has no output.
    public var plan: PlugPlan
    /// The time that an output is stored, in seconds.
    public var seconds: Double
    /// The maximum number of stored outputs.
    public var entries: Int
    /// The maximum total size of the encoded outputs, in bytes.
    public var bytes: Int
    /// Whether one caller's output is returned to all.
    public var shared: Bool

    /// Creates a cache around a plan.
    public init(
        _ plan: PlugPlan,
        seconds: Double = 60,
        entries: Int = 1000,
        bytes: Int = 16 << 20,
        shared: Bool = false
    ) {
        self.plan = plan
        self.seconds = seconds
        self.entries = entries
        self.bytes = bytes
        self.shared = shared
    }
}

extension PlugCache: Codable {
    /// Decodes the cache's limits.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.members("plug", "seconds", "entries", "bytes", "shared")
        self.init(
            try members.decode(PlugPlan.self, forKey: .plug),
            seconds: try members.number("seconds", 60),
            entries: try members.integer("entries", 1000),
            bytes: try members.integer("bytes", 16 << 20),
            shared: try members.decodeIfPresent(Bool.self, forKey: PlanKey("shared")) ?? false
        )
    }

    /// Encodes the cache's limits.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: PlanKey.self)
        try members.encode(plan, forKey: .plug)
        try members.encode(seconds, forKey: PlanKey("seconds"))
        try members.encode(entries, forKey: PlanKey("entries"))
        try members.encode(bytes, forKey: PlanKey("bytes"))
        try members.encode(shared, forKey: PlanKey("shared"))
    }
}

extension PlugCache: PlanLayer {
    func check(_ check: inout PlanCheck, at pointer: String) {
        let pointer = pointer + "/cache"
        if !check.features.isSafe {
            check.fault(pointer, "only an action that reads can have a cache: this one isn't a GET")
        } else if !check.features.keepsOutputs {
            check.fault(
                pointer,
                "the action's output isn't Encodable, or its input isn't Hashable or Encodable"
            )
        }
        if shared, check.features.isCallerSpecific {
            check.fault(
                pointer + "/shared",
                "the output may be for its caller only: the action uses the caller's identity"
            )
        }
        check.seconds(seconds, at: pointer + "/seconds")
        check.count(entries, in: 1...10_000_000, at: pointer + "/entries")
        check.count(bytes, in: 1...(1 << 40), at: pointer + "/bytes")
        check.plan(plan, at: pointer + "/plug")
    }

    func wire<Input, Output>(
        _ board: PlanParts<Input, Output>,
        at pointer: String
    ) -> Wiring<Input, Output> {
        if !shared { PlugKey.want() }
        let next = board.wire(plan, at: pointer + "/cache/plug")
        let answers = Locked(CachedOutputs<Output>(self))
        let now = board.tools.now
        let isShared = shared
        let pointer = pointer + "/cache"
        board.gauges.add { state in
            state.caches.append(answers.withLock { $0.state(at: pointer) })
        }
        return Wiring(making: { CachedPlug(next, answers, isShared, now) })
    }

    func mapping(_ transform: (PlugPlan) -> PlugPlan) -> PlugPlan {
        var layer = self
        layer.plan = transform(plan)
        return .cache(layer)
    }
}

/// The key of a stored output.
struct OutputKey: Hashable {
    private let caller: String?
    private let input: AnyHashable

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

private final class CachedPlug<Input: Sendable, Output: Sendable>: Action<Input, Output> {
    private let next: Wiring<Input, Output>
    private let answers: Locked<CachedOutputs<Output>>
    private let isShared: Bool
    private let now: @Sendable () -> Duration

    init(
        _ next: Wiring<Input, Output>,
        _ answers: Locked<CachedOutputs<Output>>,
        _ isShared: Bool,
        _ now: @escaping @Sendable () -> Duration
    ) {
        self.next = next
        self.answers = answers
        self.isShared = isShared
        self.now = now
    }

    override func performNow(_ input: Input) throws -> Output? { kept(input) }

    override func perform(_ input: Input) async throws -> Output {
        if let output = kept(input) { return output }
        let output = try await next.implementation().perform(input)
        keep(output, for: input)
        return output
    }

    private func kept(_ input: Input) -> Output? {
        guard let key = key(input) else { return nil }
        let now = now()
        return answers.withLock { $0.answer(key, at: now) }
    }

    private func keep(_ output: Output, for input: Input) {
        guard let key = key(input) else { return }
        let encoded = (output as? any Encodable).flatMap(Outputs.encoded)
        let size = encoded?.count ?? MemoryLayout<Output>.size
        let now = now()
        answers.withLock { $0.keep(output, size, for: key, at: now) }
    }

    private func key(_ input: Input) -> OutputKey? {
        OutputKey(input, caller: isShared ? nil : PlugKey.current)
    }
}
