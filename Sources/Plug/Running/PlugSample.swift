/// An action's plan and the counts of its calls at one moment.
///
/// The counts begin with their plan, so only those of the same revision can be compared.
package struct PlugSample: Sendable {
    /// The calls of one implementation since its plan was set.
    package struct Calls: Sendable, Equatable {
        /// The finished calls that failed.
        package var errors = 0
        /// The finished calls by duration.
        package var durations = DurationHistogram()

        /// Creates the calls of a number of failures, with no durations yet.
        package init(errors: Int = 0) { self.errors = errors }
    }

    /// The number of the plugs' changes in this process.
    package let revision: Int
    /// The plan and its state.
    package let state: PlugState
    /// The calls by implementation; empty if the plan doesn't count them.
    package let calls: [String: Calls]

    package init(revision: Int, state: PlugState, calls: [String: Calls]) {
        self.revision = revision
        self.state = state
        self.calls = calls
    }
}
