import JSONCodec

/// Compiled rules and segments: flat, immutable tables.
struct Program: Sendable {
    /// An operation, a list or a constant.
    struct Node: Sendable {
        var operation: Operation
        /// The index of its first operand in ``Program/operands``.
        var first: Int32 = 0
        var count: Int32 = 0
        /// An index into the table of its kind (constants, paths, segments, splits, comparisons),
        /// or a rollout's threshold; -1 for nothing.
        var detail: Int32 = -1
        /// The node that has this one as an operand; the node itself for a root.
        var parent: Int32
        /// Its index among the operands; -1 for an operand without a list around it: `{"!": true}`.
        var slot: Int32
    }

    /// The constant weights of a `fractional`.
    struct Split: Sendable {
        /// The end of each part, as a sum of weights.
        var ends: [UInt32]
        var total: UInt32
    }

    /// The constant operands of a `sem_ver`.
    // A class, so that reading one retains a single reference.
    final class Comparison: Sendable {
        let by: VersionOperator?
        let target: VersionTarget?

        init(by: VersionOperator?, target: SemanticVersion?) {
            self.by = by
            self.target = target.map { VersionTarget($0) }
        }
    }

    /// A named rule that other rules use.
    struct Segment: Sendable {
        var name: String
        var root: Int32
    }

    var nodes: [Node] = []
    var operands: [Int32] = []
    var constants: [Value] = []
    var paths: [Path] = []
    var splits: [Split] = []
    var comparisons: [Comparison] = []
    var segments: [Segment] = []

    /// Returns the node's operand at `place`.
    @inline(__always)
    func operand(_ place: Int, of node: Node) -> Int32 { operands[Int(node.first) + place] }

    /// Returns the constant of a node; nil for another operation.
    func constant(_ node: Int32) -> Value? {
        let node = nodes[Int(node)]
        return node.operation == .constant ? constants[Int(node.detail)] : nil
    }

    /// Returns the JSON Pointer of a node from its rule's root.
    func pointer(_ node: Int32) -> String {
        var tokens: [String] = []
        var at = nodes[Int(node)]
        var index = node
        while at.parent != index {
            if at.slot >= 0 { tokens.append(String(at.slot)) }
            index = at.parent
            at = nodes[Int(index)]
            if at.operation != .list { tokens.append(JSONPointer.escaped(at.operation.rawValue)) }
        }
        return tokens.reversed().reduce(into: "") { $0 += "/" + $1 }
    }

    /// Returns the root of the rule that contains a node.
    func root(_ node: Int32) -> Int32 {
        var node = node
        while nodes[Int(node)].parent != node { node = nodes[Int(node)].parent }
        return node
    }
}

/// A program behind one reference: copying its tables for each evaluation retains seven.
final class SharedProgram: Sendable {
    let program: Program
    /// The key of each rule, which seeds its rollouts.
    let keys: [String]
    /// The likely names in contexts: `targetingKey` and the first names of the rules' paths.
    let names: [Name]

    init(_ program: Program, keys: [String]) {
        self.program = program
        self.keys = keys
        var names = [Name.targetingKey]
        for path in program.paths where names.count < Self.maximumNameCount {
            guard let name = path.names.first, !name.text.isEmpty,
                !names.contains(where: name.isSame)
            else { continue }
            names.append(name)
        }
        self.names = names
    }

    /// Creating a name takes 170 instructions; comparing a few is cheaper, and rules rarely read more.
    private static let maximumNameCount = 16
}
