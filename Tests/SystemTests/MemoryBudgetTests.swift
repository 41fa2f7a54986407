import Testing

import System

@Suite("Budgets of memory")
struct MemoryBudgetTests {
    @Test(
        "the budget is a quarter of the memory limit, at most the usual one",
        arguments: [(nil, 64), (256, 64), (1024, 64), (64, 16), (1, 0)] as [(Int?, Int)]
    )
    func quarter(limit: Int?, budget: Int) {
        #expect(MemoryBudget.standard(64, limit: limit) == budget)
    }
}
