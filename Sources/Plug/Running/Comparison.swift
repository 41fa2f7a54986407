import Locking

/// The two results of one call, in the order of their arrival.
final class Comparison<Output: Sendable>: Sendable {
    private let gauge: ShadowGauge
    private let onDifference: @Sendable () -> Void
    private let kept = Locked<(Result<Output, any Error>?, Result<Output, any Error>?)>((nil, nil))

    init(_ gauge: ShadowGauge, _ onDifference: @escaping @Sendable () -> Void) {
        self.gauge = gauge
        self.onDifference = onDifference
    }

    func answered(_ result: Result<Output, any Error>) {
        let shadow = kept.withLock { kept in
            kept.0 = result
            return kept.1
        }
        if let shadow { compare(result, shadow) }
    }

    func shadowed(_ result: Result<Output, any Error>) {
        let answer = kept.withLock { kept in
            kept.1 = result
            return kept.0
        }
        if let answer { compare(answer, result) }
    }

    private func compare(_ one: Result<Output, any Error>, _ two: Result<Output, any Error>) {
        let isSame: Bool?
        switch (one, two) {
        case (.success(let one), .success(let two)): isSame = Outputs.areSame(one, two)
        // Two errors count as the same; an error beside an output is a difference.
        case (.failure, .failure): isSame = true
        case (.failure(let error), .success), (.success, .failure(let error)):
            isSame = error is CancellationError ? nil : false
        }
        gauge.end(isSame)
        if isSame == false { onDifference() }
    }
}
