import Locking
public import Plug

/// An implementation for a test, with scripted results and a record of its inputs.
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
/// The results form a sequence: each call takes the next one, and the last one repeats. One mock
/// may serve calls of many tasks.
public final class Mock<A: ActionProtocol>: Sendable {
    private typealias Answer = @Sendable (A.Input) async throws -> A.Output

    private let kept = Locked((inputs: [A.Input](), answers: [Answer](), taken: 0))

    /// Creates a mock from a closure.
    public init(
        _ action: A.Type,
        _ answer: @escaping @Sendable (A.Input) async throws -> A.Output
    ) {
        kept.withLock { $0.answers = [answer] }
    }

    /// Creates a mock without results; add them with `returning(_:)` or `throwing(_:)`.
    public init(_ action: A.Type) {}

    /// Adds an output for the next call.
    @discardableResult
    public func returning(_ output: A.Output) -> Mock { add { _ in output } }

    /// Adds outputs for the next calls.
    @discardableResult
    public func returning(each outputs: [A.Output]) -> Mock {
        for output in outputs { add { _ in output } }
        return self
    }

    /// Adds an error for the next call.
    @discardableResult
    public func throwing(_ error: any Error) -> Mock { add { _ in throw error } }

    /// The inputs of all calls, in order.
    public var inputs: [A.Input] { kept.withLock { $0.inputs } }

    /// The number of calls.
    public var calls: Int { kept.withLock { $0.inputs.count } }

    @discardableResult
    private func add(_ answer: @escaping Answer) -> Mock {
        kept.withLock { $0.answers.append(answer) }
        return self
    }

    /// Performs a call with the next result.
    ///
    /// - Throws: The scripted error, or ``MockWithoutResult`` if the mock has no results.
    func perform(_ input: A.Input) async throws -> A.Output {
        let answer: Answer? = kept.withLock { kept in
            kept.inputs.append(input)
            guard let last = kept.answers.indices.last else { return nil }
            defer { kept.taken += 1 }
            return kept.answers[min(kept.taken, last)]
        }
        guard let answer else { throw MockWithoutResult(action: A.name) }
        return try await answer(input)
    }
}

/// The error of a call of a mock without results.
public struct MockWithoutResult: Error, Equatable, CustomStringConvertible {
    /// The action's name.
    public let action: String

    /// Names the action and the line that adds a result.
    public var description: String {
        "the mock of \(action) has no result. Add one: Mock(\(action).self).returning(…)"
    }
}

/// Plugs a mock.
public func <~ <A: ActionProtocol>(action: A.Type, mock: Mock<A>) {
    action <~ { input async throws in try await mock.perform(input) }
}

/// Plugs a mock under a name.
public func <~ <A: ActionProtocol>(plug: NamedPlug<A>, mock: Mock<A>) {
    plug <~ { input async throws in try await mock.perform(input) }
}
