import Locking

extension Wiring {
    /// Returns a wiring that stores outputs of this one.
    func cached(by limits: PlugCache, _ layer: PlanContext, at pointer: String) -> Wiring {
        if !limits.shared { PlugKey.want() }
        let answers = Locked(CachedOutputs<Output>(limits))
        let now = layer.tools.now
        layer.gauges.add { state in
            state.caches.append(answers.withLock { $0.state(at: pointer) })
        }
        return Wiring(making: { CachedPlug(self, answers, limits.shared, now) })
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
