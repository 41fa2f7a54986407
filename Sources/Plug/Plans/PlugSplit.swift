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
    var names: [String] { shares.keys.sorted() }

    /// Returns the split without one candidate, whose share goes to the leader.
    func without(_ name: String) -> PlugSplit {
        let leader = leader
        var rest = self
        let share = rest.shares.removeValue(forKey: name) ?? 0
        rest.shares[leader, default: 0] += share
        return rest
    }

    /// Checks the split and its guard; `pointer` names the object that has both as members.
    func check(_ faults: inout PlanFaults, at pointer: String) {
        let inner = pointer + "/split"
        faults.breadth(names.count, at: inner)
        for name in names.prefix(PlanFaults.maximumBreadth) {
            let place = inner + PlanFaults.token(name)
            faults.name(name, at: place)
            faults.number(shares[name] ?? 0, in: 0...100, at: place)
        }
        let sum = shares.values.reduce(0, +)
        if abs(sum - 100) > 0.000_001 {
            faults.fault(inner, "the sum of the shares is \(sum.text), not 100")
        }
        `guard`?.check(&faults, at: pointer + "/guard", ofShadow: false)
    }
}

extension PlugSplit: Codable {
    /// Decodes the shares; the guard is a member beside the split.
    public init(from decoder: any Decoder) throws {
        self.init(try [String: Double](from: decoder))
    }

    /// Encodes the shares in the order of their names, so that equal splits have equal text.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: PlanKey.self)
        for name in names { try members.encode(shares[name] ?? 0, forKey: PlanKey(name)) }
    }
}
