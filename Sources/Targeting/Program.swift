import JSONCodec

/// Rules and segments, compiled: flat tables that never change.
struct Program: Sendable {
    /// An operation, a list or a constant.
    struct Node: Sendable {
        var operation: Operation
        /// Where its operands stand in ``Program/operands``.
        var first: Int32 = 0
        var count: Int32 = 0
        /// What it needs beside its operands: where a constant, a path, a segment, a split or a
        /// comparison is, and a roll-out's threshold; -1 for nothing.
        var detail: Int32 = -1
        /// The node that it is an operand of, itself for a root.
        var parent: Int32
        /// Which operand, -1 where that stands without a list around it: `{"!": true}`.
        var slot: Int32
    }

    /// The weights of a `fractional` that are known before it is evaluated.
    struct Split: Sendable {
        /// Where each part ends, counted in weights.
        var ends: [UInt32]
        var total: UInt32
    }

    /// What of a `sem_ver` is known before it is evaluated.
    // A class, so that to look at one retains one reference.
    final class Comparison: Sendable {
        let by: VersionOperator?
        let target: VersionTarget?

        init(by: VersionOperator?, target: SemanticVersion?) {
            self.by = by
            self.target = target.map { VersionTarget($0) }
        }
    }

    /// A named rule that others use.
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

    /// The node's operand at that place.
    @inline(__always)
    func operand(_ place: Int, of node: Node) -> Int32 { operands[Int(node.first) + place] }

    /// The constant that a node is, nil where it is none.
    func constant(_ node: Int32) -> Value? {
        let node = nodes[Int(node)]
        return node.operation == .constant ? constants[Int(node.detail)] : nil
    }

    /// Where a node stands in its rule, a JSON Pointer from the rule's root on.
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

    /// The root of the rule that a node is part of.
    func root(_ node: Int32) -> Int32 {
        var node = node
        while nodes[Int(node)].parent != node { node = nodes[Int(node)].parent }
        return node
    }
}

/// A program that is handed on as one reference: to copy its tables for each evaluation takes seven.
final class SharedProgram: Sendable {
    let program: Program
    /// What its rules' roll-outs are told apart from others by.
    let keys: [String]
    /// The names that its paths begin with, and the targeting key's: those that a context is likely to have.
    let names: [Name]

    init(_ program: Program, keys: [String]) {
        self.program = program
        self.keys = keys
        var names = [Name.targetingKey]
        for path in program.paths where names.count < Self.greatestNameCount {
            guard let name = path.names.first, !name.text.isEmpty,
                !names.contains(where: name.isSame)
            else { continue }
            names.append(name)
        }
        self.names = names
    }

    /// To make a name takes 170 instructions: it pays to look through a few, and rules hardly ask for more.
    private static let greatestNameCount = 16
}

/// A dotted path into a context, taken apart: `user.plan`.
struct Path: Sendable {
    /// What isn't of the context but of the evaluation.
    enum Special { case flagKey, timestamp }

    let text: String
    let names: [Name]
    let special: Special?

    init(_ text: String) {
        self.text = text
        names = Path.names(text).map { Name($0) }
        special =
            switch text {
            case "$flagd.flagKey": .flagKey
            case "$flagd.timestamp": .timestamp
            default: nil
            }
    }

    /// The same path among an element's members, where there is nothing special.
    var withoutSpecial: Path { Path(text: text, names: names, special: nil) }

    private init(text: String, names: [Name], special: Special?) {
        self.text = text
        self.names = names
        self.special = special
    }

    /// The names along a path, none for the empty one.
    static func names(_ text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        return text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
    }
}

extension Value {
    /// What lies along a path, nil where nothing does.
    func value(at names: [Name]) -> Value? {
        if names.count == 1, case .members(let members) = self { return members[names[0]] }
        var value = self
        for name in names {
            switch value {
            case .members(let members):
                guard let member = members[name] else { return nil }
                value = member
            case .list(let list):
                guard let place = Int(name.text), list.elements.indices.contains(place),
                    String(place) == name.text
                else { return nil }
                value = list.elements[place]
            case .null, .bool, .number, .text: return nil
            }
        }
        return value
    }
}
