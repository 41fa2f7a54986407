/// A percentage of the calls for each implementation: `{"split": {"one": 90, "two": 10}}`.
///
/// A caller that is known (``PlugKey``) stays with one of them; without a key each call is drawn by
/// itself. An implementation whose share grows, and no other's with it, keeps the callers that it has.
/// When one goes, its callers fall to the others, and of theirs few move.
public struct PlugSplit: Sendable, Hashable {
    /// The percentage of each implementation; together they are 100.
    public var shares: [String: Double]
    /// What takes the implementations of less than the greatest share out again.
    public var `guard`: PlugGuard?

    /// A split by those percentages.
    public init(_ shares: [String: Double], guard limits: PlugGuard? = nil) {
        self.shares = shares
        self.guard = limits
    }

    /// The implementation with the greatest share, that the others are measured against.
    var leader: String { names.max { shares[$0, default: 0] < shares[$1, default: 0] } ?? "" }

    /// In a fixed order, so that the same key falls on the same name in every process.
    private var names: [String] { shares.keys.sorted() }

    /// The split without one of its candidates, whose share goes to the leader.
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

    /// Encodes the shares, in the order of their names: the same split is the same text.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: PlanKey.self)
        for name in names { try members.encode(shares[name] ?? 0, forKey: PlanKey(name)) }
    }
}

extension PlugSplit: PlanLayer {
    func check(_ check: inout PlanCheck, at pointer: String) {
        let pointer = pointer + "/split"
        check.breadth(names.count, at: pointer)
        for name in names.prefix(PlanCheck.greatestBreadth) {
            check.name(name, at: pointer + PlanCheck.token(name))
            check.number(shares[name] ?? 0, in: 0...100, at: pointer + PlanCheck.token(name))
        }
        let sum = shares.values.reduce(0, +)
        if abs(sum - 100) > 0.000_001 {
            check.fault(pointer, "the shares make \(PlanCheck.text(sum)) together, not 100")
        }
        `guard`?.check(&check, at: pointer.dropLast(6) + "/guard", ofShadow: false)
    }

    func wire<Input, Output>(
        _ board: PlanBoard<Input, Output>,
        at pointer: String
    ) -> Wiring<Input, Output> {
        PlugKey.want()
        let leader = leader
        var lots: [PlugLot] = []
        // No type of the parameters': each call would look that up.
        var wirings: [any AnyObject & Sendable] = []
        let watch = `guard`.map { PlugWatch($0, board, unplugging: .split(self)) }
        // The leader comes first: whoever is measured against it has it to be measured against.
        let counted = names.sorted { $0 == leader && $1 != leader }.map { name in
            let wiring = board.counted(name)
            guard let watch else { return (name, wiring) }
            return (name, watch.watch(wiring, name, isCandidate: name != leader) { without(name) })
        }
        let byName = Dictionary(uniqueKeysWithValues: counted)
        for name in names {
            guard let wiring = byName[name], let share = shares[name], share > 0 else { continue }
            lots.append(PlugLot(name, of: board.name, share: share))
            wirings.append(wiring)
        }
        let action = board.name
        let random = board.tools.random
        return Wiring(making: { [lots, wirings] in
            let way =
                PlugKey.current.map { PlugLot.choice($0, lots) } ?? PlugLot.drawn(random(), lots)
            guard way < wirings.count else { return FailingPlug(NotPlugged(action: action)) }
            return unsafeDowncast(wirings[way], to: Wiring<Input, Output>.self).implementation()
        })
    }

    func mapping(_ transform: (PlugPlan) -> PlugPlan) -> PlugPlan { .split(self) }
}

/// What answers each call with an error.
final class FailingPlug<Input: Sendable, Output: Sendable>: Action<Input, Output> {
    private let error: any Error

    init(_ error: any Error) { self.error = error }

    override func performNow(_ input: Input) throws -> Output? { throw error }
}
