import Plug
import PlugTesting
import Testing

@Suite("Mock")
struct MockTests {
    class LikePhoto: Action<LikePhoto.Like, Int> {
        struct Like: Sendable, Equatable { var id: Int }
    }
    struct Offline: Error, Equatable {}

    @Test("it returns its closure's output and records the inputs")
    func closure() async throws {
        let mock = Mock(LikePhoto.self) { like in like.id * 2 }
        try await Actions.withPlugs {
            LikePhoto.self <~ mock
        } operation: {
            let likes = try await [
                action(LikePhoto.self, .init(id: 1)), action(LikePhoto.self, .init(id: 2)),
            ]
            #expect(likes == [2, 4])
        }
        #expect(mock.inputs == [.init(id: 1), .init(id: 2)])
        #expect(mock.calls == 2)
    }

    @Test("it returns its results in order, and repeats the last one")
    func sequence() async throws {
        let mock = Mock(LikePhoto.self).throwing(Offline()).returning(each: [1, 2])
        try await Actions.withPlugs {
            LikePhoto.named("mocked") <~ mock
        } operation: {
            await #expect(throws: Offline()) { try await action(LikePhoto.self, .init(id: 1)) }
            var likes: [Int] = []
            for id in 0..<3 { likes.append(try await action(LikePhoto.self, .init(id: id))) }
            #expect(likes == [1, 2, 2])
        }
    }

    @Test("a mock without results names the call that adds one")
    func notTold() async {
        await Actions.withPlugs {
            LikePhoto.self <~ Mock(LikePhoto.self)
        } operation: {
            let error = await #expect(throws: MockWithoutResult.self) {
                try await action(LikePhoto.self, .init(id: 1))
            }
            #expect(error?.description.contains("Mock(LikePhoto.self).returning") == true)
        }
    }

    @Test("a thousand concurrent tests have separate mocks", arguments: 0..<1000)
    func parallel(number: Int) async throws {
        let mock = Mock(LikePhoto.self).returning(number)
        try await Actions.withPlugs {
            LikePhoto.self <~ mock
        } operation: {
            for id in 0..<3 {
                await Task.yield()
                let likes = try await action(LikePhoto.self, .init(id: id))
                #expect(likes == number)
            }
        }
        #expect(mock.inputs.map(\.id) == [0, 1, 2])
    }

    @Test("a thousand concurrent tests have separate plans", arguments: 0..<1000)
    func parallelPlans(number: Int) async throws {
        class Planned: Action<Int, Int> {}
        try await Actions.withPlugs {
            Planned.named("mine") <~ { $0 + number }
            Planned.self <~ .split(["mine": 100])
        } operation: {
            for input in 0..<3 {
                await Task.yield()
                let sum = try await action(Planned.self, input)
                #expect(sum == input + number)
            }
        }
        #expect(!Actions.isPlugged(Planned.self))
    }

    @Test("calling an unplugged action fails the test with an error that names it")
    func notPlugged() async throws {
        class Forgotten: Action<Int, Int> {}
        try await withKnownIssue {
            _ = try await action(Forgotten.self, 1)
        } matching: { issue in
            "\(issue)".contains("Forgotten has no plug. Plug an implementation before calling it")
        }
    }
}
