/// A percentage of the calls for each implementation: `{"split": {"one": 90, "two": 10}}`.
///
/// A caller with a ``PlugKey`` stays with one implementation; calls without a key are drawn at
/// random. If only one share grows, its implementation keeps all of its callers. If an
/// implementation is removed, its callers move to the others, and few other callers move.
public struct PlugSplit: Sendable, Hashable {
    /// The percentage of each implementation, 100 in sum.
    public var shares: [String: Double]
    /// The limits that remove an implementation, except the one with the greatest share.
    public var `guard`: PlugGuard?

    /// Creates a split by percentages.
    public init(_ shares: [String: Double], guard limits: PlugGuard? = nil) {
        self.shares = shares
        self.guard = limits
    }

    /// The implementation with the greatest share; the guard compares the others with it.
    var leader: String { names.max { shares[$0, default: 0] < shares[$1, default: 0] } ?? "" }

    /// Sorted, so that a key selects the same name in every process.
    private var names: [String] { shares.keys.sorted() }

    /// Returns the split without one candidate, whose share goes to the leader.
    private func without(_ name: String) -> PlugPlan {
        let leader = leader
        var rest = self
        let share = rest.shares.removeValue(forKey: name) ?? 0
        rest.shares[leader, default: 0] += share
        return rest.shares.count == 1 ? .plug(leader) : .split(rest)
    }
}

extension PlugSplit: Codable {
    /// Decodes the shares.
    public init(from decoder: any Decoder) throws {
        self.init(try [String: Double](from: decoder))
    }

    /// Encodes the shares in the order of their names, so that equal splits have equal text.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: PlanKey.self)
        for name in names { try members.encode(shares[name] ?? 0, forKey: PlanKey(name)) }
    }
}

extension PlugSplit: PlanLayer {
    func check(_ check: inout PlanCheck, at pointer: String) {
        let pointer = pointer + "/split"
        check.breadth(names.count, at: pointer)
        for name in names.prefix(PlanCheck.maximumBreadth) {
            check.name(name, at: pointer + PlanCheck.token(name))
            check.number(shares[name] ?? 0, in: 0...100, at: pointer + PlanCheck.token(name))
        }
        let sum = shares.values.reduce(0, +)
        if abs(sum - 100) > 0.000_001 {
            check.fault(pointer, "the sum of the shares is \(PlanCheck.text(sum)), not 100")
        }
        `guard`?.check(&check, at: pointer.dropLast(6) + "/guard", ofShadow: false)
    }

    func wire<Input, Output>(
        _ board: PlanParts<Input, Output>,
        at pointer: String
    ) -> Wiring<Input, Output> {
        PlugKey.want()
        let leader = leader
        var lots: [SplitShare] = []
        // Type-erased: a type with generic parameters would need a metadata lookup on each call.
        var wirings: [any AnyObject & Sendable] = []
        let watch = `guard`.map { PlugWatch($0, board, unplugging: .split(self)) }
        // The leader comes first, because the guard compares the candidates with it.
        let counted = names.sorted { $0 == leader && $1 != leader }.map { name in
            let wiring = board.counted(name)
            guard let watch else { return (name, wiring) }
            return (name, watch.watch(wiring, name, isCandidate: name != leader) { without(name) })
        }
        let byName = Dictionary(uniqueKeysWithValues: counted)
        for name in names {
            guard let wiring = byName[name], let share = shares[name], share > 0 else { continue }
            lots.append(SplitShare(name, of: board.name, share: share))
            wirings.append(wiring)
        }
        let action = board.name
        let random = board.tools.random
        return Wiring(making: { [lots, wirings] in
            let way =
                PlugKey.current.map { SplitShare.choice($0, lots) }
                ?? SplitShare.drawn(random(), lots)
            guard way < wirings.count else { return FailingPlug(NotPlugged(action: action)) }
            return unsafeDowncast(wirings[way], to: Wiring<Input, Output>.self).implementation()
        })
    }

    func mapping(_ transform: (PlugPlan) -> PlugPlan) -> PlugPlan { .split(self) }
}

/// An implementation that fails each call with the same error.
final class FailingPlug<Input: Sendable, Output: Sendable>: Action<Input, Output> {
    private let error: any Error

    init(_ error: any Error) { self.error = error }

    override func performNow(_ input: Input) throws -> Output? { throw error }
}
