import Locking
public import Plug

/// An implementation for a test: it answers as it is told, and keeps what it was asked.
///
/// ```swift
/// let mock = Mock(LikePhoto.self).returning(Likes(photo: 42, likes: 7)).throwing(Offline())
/// try await Actions.withPlugs {
///     LikePhoto.self <~ mock
/// } operation: {
///     …
/// }
/// #expect(mock.inputs.map(\.id) == [42, 42])
/// ```
/// What it is told is a sequence: each call takes the next, and the last stays. One mock may answer
/// calls of many tasks.
public final class Mock<A: ActionProtocol>: Sendable {
    private typealias Answer = @Sendable (A.Input) async throws -> A.Output

    private let kept = Locked((inputs: [A.Input](), answers: [Answer](), taken: 0))

    /// A mock that answers by a closure.
    public init(
        _ action: A.Type,
        _ answer: @escaping @Sendable (A.Input) async throws -> A.Output
    ) {
        kept.withLock { $0.answers = [answer] }
    }

    /// A mock that is told next how to answer.
    public init(_ action: A.Type) {}

    /// Answers the next call with an output.
    @discardableResult
    public func returning(_ output: A.Output) -> Mock { add { _ in output } }

    /// Answers the next calls with these outputs, one after the other.
    @discardableResult
    public func returning(each outputs: [A.Output]) -> Mock {
        for output in outputs { add { _ in output } }
        return self
    }

    /// Answers the next call with an error.
    @discardableResult
    public func throwing(_ error: any Error) -> Mock { add { _ in throw error } }

    /// The inputs of the calls so far, in their order.
    public var inputs: [A.Input] { kept.withLock { $0.inputs } }

    /// How often it was called so far.
    public var calls: Int { kept.withLock { $0.inputs.count } }

    @discardableResult
    private func add(_ answer: @escaping Answer) -> Mock {
        kept.withLock { $0.answers.append(answer) }
        return self
    }

    /// Answers a call.
    ///
    /// - Throws: what it was told to throw, or ``MockNotTold`` where it was told nothing.
    func perform(_ input: A.Input) async throws -> A.Output {
        let answer: Answer? = kept.withLock { kept in
            kept.inputs.append(input)
            guard let last = kept.answers.indices.last else { return nil }
            defer { kept.taken += 1 }
            return kept.answers[min(kept.taken, last)]
        }
        guard let answer else { throw MockNotTold(action: A.name) }
        return try await answer(input)
    }
}

/// The error of a mock that was called and never told how to answer.
public struct MockNotTold: Error, Equatable, CustomStringConvertible {
    /// The action's name.
    public let action: String

    /// What is missing, and the line that adds it.
    public var description: String {
        "the mock of \(action) was not told how to answer: Mock(\(action).self).returning(…)"
    }
}

/// Plugs a mock.
public func <~ <A: ActionProtocol>(action: A.Type, mock: Mock<A>) {
    Actions.plug(action) { input async throws in try await mock.perform(input) }
}

/// Plugs a mock under a name.
public func <~ <A: ActionProtocol>(plug: NamedPlug<A>, mock: Mock<A>) {
    Actions.plug(plug) { input async throws in try await mock.perform(input) }
}
