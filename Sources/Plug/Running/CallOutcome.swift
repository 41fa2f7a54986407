/// The outcome of a call, as far as the implementation is responsible for it.
enum CallOutcome {
    case answered
    case failed
    /// The caller cancelled the call, so it says nothing about the implementation.
    case abandoned

    init(_ error: any Error) {
        if error is CancellationError, !(TimeoutFlag.current?.isOver ?? false) {
            self = .abandoned
        } else if let error = error as? any CallerFault, error.isCallerFault {
            self = .answered
        } else {
            self = .failed
        }
    }
}
