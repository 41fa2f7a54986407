import Locking
import Testing

@Suite("A value that is computed once")
struct OnceTests {
    @Test("it is computed at the first access, once for all concurrent callers")
    func once() async {
        let count = Locked(0)
        let once = Once {
            count.withLock { count in
                count += 1
                return count
            }
        }
        #expect(once.made == nil)
        let values = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { once.value } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(values == Array(repeating: 1, count: 100))
        #expect(once.made == 1)
    }
}
