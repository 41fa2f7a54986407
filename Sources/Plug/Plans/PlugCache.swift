import Locking

/// Answers that are kept for a while: `{"cache": {"plug": "one", "seconds": 60}}`.
///
/// Only an action that reads has a cache: ``SafeAction``. An answer is kept for the caller that got
/// it (``PlugKey``), unless it is `shared`, which one of a ``CallerBound`` action can't be; a change of
/// the plan forgets them all.
public struct PlugCache: Sendable, Hashable {
    /// What is asked where there is no answer yet.
    public var plan: PlugPlan
    /// How long an answer is kept, in seconds.
    public var seconds: Double
    /// How many answers are kept at most.
    public var entries: Int
    /// How many bytes of answers are kept at most, as they are encoded.
    public var bytes: Int
    /// Whether one caller's answer serves all.
    public var shared: Bool

    /// A cache before a plan.
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
    /// Decodes the cache's bounds.
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

    /// Encodes the cache's bounds.
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
        if !check.abilities.isSafe {
            check.fault(pointer, "the action does more than read: it is no GET")
        } else if !check.abilities.keepsOutputs {
            check.fault(
                pointer,
                "the action's inputs can't be looked up, or its outputs are no values to keep"
            )
        }
        if shared, check.abilities.isCallerBound {
            check.fault(
                pointer + "/shared",
                "an answer may be its caller's alone: the action asks who calls"
            )
        }
        check.seconds(seconds, at: pointer + "/seconds")
        check.count(entries, in: 1...10_000_000, at: pointer + "/entries")
        check.count(bytes, in: 1...(1 << 40), at: pointer + "/bytes")
        check.plan(plan, at: pointer + "/plug")
    }

    func wire<Input, Output>(
        _ board: PlanBoard<Input, Output>,
        at pointer: String
    ) -> Wiring<Input, Output> {
        if !shared { PlugKey.want() }
        let next = board.wire(plan, at: pointer + "/cache/plug")
        let answers = Locked(KeptAnswers<Output>(self))
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

/// What an answer is looked up by.
struct AnswerKey: Hashable {
    private let caller: String?
    private let input: AnyHashable

    /// The key of an input; nil where it has none.
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

/// The answers of a cache: a value.
///
/// All are kept for the same time, so the oldest is the first to go, for its age or for want of room.
struct KeptAnswers<Output: Sendable> {
    private struct Entry {
        let output: Output
        let size: Int
        let made: Duration
    }

    private let limits: PlugCache
    private var entries: [AnswerKey: Entry] = [:]
    /// The keys by age, from `first` on; one that was made anew stands there twice.
    private var order: [(key: AnswerKey, made: Duration)] = []
    private var first = 0
    private var size = 0
    private var hits = 0
    private var misses = 0

    init(_ limits: PlugCache) { self.limits = limits }

    mutating func answer(_ key: AnswerKey, at now: Duration) -> Output? {
        guard let entry = entries[key], now - entry.made < .seconds(limits.seconds) else {
            misses += 1
            return nil
        }
        hits += 1
        return entry.output
    }

    mutating func keep(_ output: Output, _ size: Int, for key: AnswerKey, at now: Duration) {
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
    private let answers: Locked<KeptAnswers<Output>>
    private let isShared: Bool
    private let now: @Sendable () -> Duration

    init(
        _ next: Wiring<Input, Output>,
        _ answers: Locked<KeptAnswers<Output>>,
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

    private func key(_ input: Input) -> AnswerKey? {
        AnswerKey(input, caller: isShared ? nil : PlugKey.current)
    }
}
