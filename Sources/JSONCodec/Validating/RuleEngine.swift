/// A type's shape and rules as a flat list of places, which checks documents.
///
/// It allocates nothing for a valid document, as nearly every one is.
final class RuleEngine: Sendable {
    /// The rules of one place of a document.
    ///
    /// It contains numbers only, so that reading it counts no references.
    fileprivate struct Place {
        enum Parts {
            case none
            /// Elements of an array, or values of a map, that share one place.
            case elements(Int), values(Int)
            case members(Range<Int>)
        }
        var parts = Parts.none
        var isNullable = false
        let limits: RuleLimits
        /// The index in `scalars` of the type of a value without parts.
        let scalar: Int?
        /// The index of the rules in `sets`.
        let set: Int
        /// The index in `sets` of the member's own rules, in addition to those of its type.
        var memberSet: Int?
    }

    fileprivate struct Member {
        let name: String
        let place: Int
        let isRequired: Bool
    }

    /// The state of checking one document.
    private struct Walk {
        /// Whether values' types are checked; unnecessary for a decoded document.
        var checksTypes = false
        /// Whether all failures are collected; otherwise the check stops at the first one.
        var collects = false
        var failures: [JSONTypeError] = []

        var isFull: Bool { collects && failures.count > JSONTypeErrors.maximumCount }

        mutating func fail(_ tape: Tape, _ index: Int, _ message: String) {
            failures.append(JSONTypeError(path: tape.path(to: index), message: message))
        }
    }

    private let places: [Place]
    private let members: [Member]
    private let sets: [RuleSet]
    private let scalars: [Shape.Scalar]

    /// Creates the engine of a shape; its first place is the document.
    init(_ shape: Shape, _ shapes: Shapes) {
        var builder = Builder(shapes: shapes)
        _ = builder.add(shape)
        places = builder.places
        members = builder.members
        sets = builder.sets
        scalars = builder.scalars
    }

    /// Returns whether a document satisfies all rules.
    func admits(_ tape: Tape) -> Bool {
        var walk = Walk()
        return keeps(tape, &walk, at: 0, as: 0, depth: 0)
    }

    /// Returns the violated rules of a document; with `types` also the mismatched types.
    func failures(_ tape: Tape, types: Bool = false) -> [JSONTypeError] {
        var walk = Walk(checksTypes: types, collects: true)
        _ = keeps(tape, &walk, at: 0, as: 0, depth: 0)
        return walk.failures
    }

    /// Returns whether a value satisfies its rules; always true while failures are collected.
    private func keeps(
        _ tape: Tape,
        _ walk: inout Walk,
        at index: Int,
        as number: Int,
        depth: Int
    ) -> Bool {
        // Reads single members: copying a whole place is slow.
        if tape.isNull(at: index), places[number].isNullable { return true }
        guard depth <= JSON.maximumDepth, !walk.isFull else { return true }
        let parts = places[number].parts
        guard isOfKind(parts, tape.nodes[index].kind) else {
            if walk.checksTypes { walk.fail(tape, index, expectation(of: parts, tape, index)) }
            return true
        }
        if walk.checksTypes, let scalar = places[number].scalar,
            let failure = scalars[scalar].failure(tape, index)
        {
            walk.failures.append(failure)
            return true
        }
        // Checked first, so that a list that is too long ends the check.
        let broken = tape.brokenRules(at: index, places[number].limits, sets[places[number].set])
        if !walk.collects, !broken.isEmpty { return false }
        guard keepsParts(parts, tape, &walk, index, depth + 1) else { return false }
        if !broken.isEmpty { note(broken, of: places[number].set, tape, &walk, index) }
        guard let set = places[number].memberSet else { return true }
        let others = tape.brokenRules(at: index, sets[set].limits, sets[set])
        if !others.isEmpty { note(others, of: set, tape, &walk, index) }
        return walk.collects || others.isEmpty
    }

    /// Returns whether a value has its place's kind.
    ///
    /// If not, and types aren't checked, decoding accepted the value, and no rules apply to it.
    @inline(__always)
    private func isOfKind(_ parts: Place.Parts, _ kind: Node.Kind) -> Bool {
        switch parts {
        case .none: true
        case .elements: kind == .array || kind == .texts || kind == .text
        case .values, .members: kind == .object
        }
    }

    private func expectation(of parts: Place.Parts, _ tape: Tape, _ index: Int) -> String {
        switch parts {
        case .none: ""
        case .elements: "expected an array"
        case .values: "expected an object"
        case .members: tape.isAbsent && index == 0 ? "missing" : "expected an object"
        }
    }

    /// Returns whether the parts of a value satisfy their rules.
    private func keepsParts(
        _ parts: Place.Parts,
        _ tape: Tape,
        _ walk: inout Walk,
        _ index: Int,
        _ depth: Int
    ) -> Bool {
        let node = tape.nodes[index]
        switch parts {
        case .none: return true
        case .elements(let element):
            if node.kind == .text {
                return keeps(tape, &walk, at: index, as: element, depth: depth)
            }
            var next = index + 1
            while next < node.next {
                guard keeps(tape, &walk, at: next, as: element, depth: depth) else { return false }
                next = Int(tape.nodes[next].next)
            }
            return true
        case .values(let value):
            var keeps = true
            tape.forEachName(in: index) { name in
                keeps = keeps && self.keeps(tape, &walk, at: name + 1, as: value, depth: depth)
            }
            return keeps
        case .members(let range):
            for member in range {
                guard let value = tape.find(members[member].name, in: index) else {
                    if walk.checksTypes, members[member].isRequired {
                        let name = PathKey.name(members[member].name)
                        let path: [any CodingKey] = tape.path(to: index) + [name]
                        walk.failures.append(JSONTypeError(path: path, message: "missing"))
                    }
                    continue
                }
                let place = members[member].place
                guard keeps(tape, &walk, at: value, as: place, depth: depth) else { return false }
            }
            return true
        }
    }

    private func note(
        _ broken: BrokenRules,
        of set: Int,
        _ tape: Tape,
        _ walk: inout Walk,
        _ index: Int
    ) {
        guard walk.collects else { return }
        for message in sets[set].rules.messages(broken) { walk.fail(tape, index, message) }
    }
}

extension RuleEngine {
    /// Builds the flat list of a shape's places.
    private struct Builder {
        let shapes: Shapes
        var places: [Place] = []
        var members: [Member] = []
        var sets: [RuleSet] = []
        var scalars: [Shape.Scalar] = []
        /// The places of named types, with and without `null`.
        private var known: [[Bool: Int]]

        init(shapes: Shapes) {
            self.shapes = shapes
            known = Array(repeating: [:], count: shapes.components.count)
        }

        mutating func add(_ shape: Shape) -> Int {
            var memberSet: Int?
            if case .component(let component) = shape.form {
                if shape.rules.isChecked {
                    // The member has its own rules, so no other member shares the place.
                    memberSet = add(shape.rules)
                } else if let place = known[component][shape.isNullable] {
                    return place
                } else {
                    known[component][shape.isNullable] = places.count
                }
            }
            let number = places.count
            let resolved = shapes.resolved(shape)
            let set = add(resolved.rules)
            if case .scalar(let scalar) = resolved.form { scalars.append(scalar) }
            let isScalar = if case .scalar = resolved.form { true } else { false }
            places.append(
                Place(
                    isNullable: resolved.isNullable,
                    limits: sets[set].limits,
                    scalar: isScalar ? scalars.count - 1 : nil,
                    set: set,
                    memberSet: memberSet
                )
            )
            places[number].parts = parts(of: resolved)
            return number
        }

        private mutating func add(_ rules: Rules) -> Int {
            sets.append(RuleSet(rules))
            return sets.count - 1
        }

        private mutating func parts(of shape: Shape) -> Place.Parts {
            switch shape.form {
            case .any, .described, .scalar, .component: return .none
            case .array(let element): return .elements(add(element))
            case .map(let value): return .values(add(value))
            case .object(let parts, _):
                let own = parts.map { member in
                    Member(
                        name: member.name,
                        place: add(member.shape),
                        isRequired: member.isRequired
                    )
                }
                members += own
                return .members(members.count - own.count..<members.count)
            }
        }
    }
}
