/// The default budgets, which follow the memory limit of the process's control group.
package enum MemoryBudget {
    /// The limit, read once.
    private static let limit = MemoryLimit.current()

    /// Returns a budget: the usual one, or a quarter of the memory limit if that is less.
    ///
    /// Bodies, large bodies that wait to be decoded, and responses then take at most three quarters
    /// of the memory.
    package static func standard(_ usual: Int) -> Int { standard(usual, limit: limit) }

    package static func standard(_ usual: Int, limit: Int?) -> Int {
        min(usual, limit.map { $0 / 4 } ?? usual)
    }
}
