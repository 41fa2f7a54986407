import Testing

@testable import HTTPServer

@Suite("Transitions of a connection's state")
struct ConnectionStateTransitionsTests {
    @Test("each event in each state has the table's outcome, and each line is used")
    func table() throws {
        let table = try StateTable(connectionStateTable)
        #expect(Set(table.rules.keys) == Set(connectionEvents.map(\.name)))
        var (failures, used, pairs) = ([String](), Set<String>(), 0)
        for (name, event) in connectionEvents {
            for state in ConnectionStateTests.states where state.reading != .closed {
                for isBlocked in [false, true] {
                    pairs += 1
                    let rule = table.rules[name]?.first { $0.holds(state, isBlocked) }
                    guard let rule else {
                        failures.append("no outcome: \(name), \(state)")
                        continue
                    }
                    used.insert("\(name): \(rule.line)")
                    let (expected, actions) = rule.outcome(state)
                    var changed = state
                    let taken = changed.on(event, isBlocked: isBlocked)
                    guard changed != expected || taken != actions else { continue }
                    failures.append("\(name), \(state), blocked \(isBlocked): \(changed) \(taken)")
                }
            }
        }
        #expect(pairs == connectionEvents.count * 11 * 3 * 3 * 2 * 2 * 2)
        #expect(failures.prefix(5) == [])
        let unused = table.rules.flatMap { name, rules in rules.map { "\(name): \($0.line)" } }
        #expect(unused.filter { !used.contains($0) } == [])
    }
}
