import Synchronization

/// The number of bytes of streamed bodies that the loops have read and no task has consumed.
final class UnreadBytes: Sendable {
    private let cell = Atomic<Int>(0)
    /// The byte count above which no stream is read ahead.
    ///
    /// Above twice as many, a stream that receives more is rejected.
    private let budget: Int

    init(budget: Int) { self.budget = budget }

    var count: Int { cell.load(ordering: .relaxed) }

    /// The count above which a stream that receives more is rejected.
    var limit: Int { budget.multipliedReportingOverflow(by: 2).overflow ? .max : budget * 2 }

    /// Whether no stream is read ahead.
    var areMany: Bool { count > budget }

    /// Whether a stream that receives more is rejected.
    var areTooMany: Bool { count / 2 > budget }

    /// Adds to the count; negative to subtract.
    func add(_ count: Int) { cell.wrappingAdd(count, ordering: .relaxed) }
}
