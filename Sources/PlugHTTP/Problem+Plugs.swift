import HTTPTypes
public import Plug

extension ProblemConvertible {
    /// Whether the same request would fail with every implementation: a `4xx` other than the
    /// temporary ones.
    public var isCallerFault: Bool {
        let code = problem.status.code
        return (400..<500).contains(code) && ![408, 421, 425, 429].contains(code)
    }
}

extension InvalidPlan: ProblemConvertible {
    /// A `422` that lists the plan's faults.
    public var problem: Problem {
        Problem(
            status: .unprocessableContent,
            detail: "the plan is invalid",
            errors: faults.map { Problem.FieldError(pointer: $0.pointer, detail: $0.detail) }
        )
    }
}

extension CircuitOpen: ProblemConvertible {
    /// A `503`.
    public var problem: Problem { .serviceUnavailable() }
}

extension TimedOut: ProblemConvertible {
    /// A `504`.
    public var problem: Problem { .gatewayTimeout() }
}
