import Testing

@testable import HTTP2
@testable import HTTPSyntax

@Suite("Token buckets")
struct HTTP2BudgetTests {
    @Test("a bucket allows its capacity, then refills with time and earned tokens")
    func budget() {
        var budget = HTTP2Budget(capacity: 2, perSecond: 10)
        budget.start(now: 5000)
        var spent: [Bool] = []
        for now in [5000, 5000, 5000, 5099, 5100, 5100] { spent.append(budget.spend(now: now)) }
        #expect(spent == [true, true, false, false, true, false])
        budget.earn(5)
        spent = (0..<3).map { _ in budget.spend(now: 5100) }
        #expect(spent == [true, true, false])
        spent = (0..<3).map { _ in budget.spend(now: 90_000) }
        #expect(spent == [true, true, false])
    }
}
