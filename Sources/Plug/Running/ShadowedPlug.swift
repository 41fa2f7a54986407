extension Wiring {
    /// Returns a wiring that runs a candidate beside this one.
    ///
    /// `onDifference` is called after each output that differs.
    func shadowed(
        by candidate: Wiring,
        _ gauge: ShadowGauge,
        onDifference: @escaping @Sendable () -> Void
    ) -> Wiring {
        Wiring(making: {
            ShadowedPlug(self.implementation(), candidate, gauge, onDifference)
        })
    }
}

/// A call with a candidate that runs beside it.
private final class ShadowedPlug<Input: Sendable, Output: Sendable>: Action<Input, Output> {
    private let answering: Action<Input, Output>
    private let beside: Wiring<Input, Output>
    private let gauge: ShadowGauge
    private let onDifference: @Sendable () -> Void

    init(
        _ answering: Action<Input, Output>,
        _ beside: Wiring<Input, Output>,
        _ gauge: ShadowGauge,
        _ onDifference: @escaping @Sendable () -> Void
    ) {
        self.answering = answering
        self.beside = beside
        self.gauge = gauge
        self.onDifference = onDifference
    }

    override func performNow(_ input: Input) throws -> Output? {
        // The candidate starts afterwards, so that an immediate output needn't wait for its task.
        do {
            guard let output = try answering.performNow(input) else { return nil }
            begin(input)?.answered(.success(output))
            return output
        } catch {
            begin(input)?.answered(.failure(error))
            throw error
        }
    }

    override func perform(_ input: Input) async throws -> Output {
        let comparison = begin(input)
        do {
            let output = try await answering.perform(input)
            comparison?.answered(.success(output))
            return output
        } catch {
            comparison?.answered(.failure(error))
            throw error
        }
    }

    private func begin(_ input: Input) -> Comparison<Output>? {
        guard gauge.begin() else { return nil }
        let comparison = Comparison<Output>(gauge, onDifference)
        // An unstructured task: the end or cancellation of the caller's task doesn't affect it.
        Task { [beside] in
            do {
                comparison.shadowed(.success(try await beside.implementation().perform(input)))
            } catch {
                comparison.shadowed(.failure(error))
            }
        }
        return comparison
    }
}
