/// A type's shape and rules, as places side by side: checks a document along them.
///
/// It allocates nothing for a document that keeps its rules, as nearly every one does.
final class RuleEngine: Sendable {
    /// The rules of one place of a document.
    ///
    /// It holds numbers only, so that reading it counts no reference.
    fileprivate struct Place {
        enum Parts {
            case none
            /// Elements, or an object's values, that are all of one place.
            case elements(Int), values(Int)
            case members(Range<Int>)
        }
        var parts = Parts.none
        var isNullable = false
        let limits: RuleLimits
        /// The type of a value without parts, in `scalars`.
        let scalar: Int?
        /// The rules in `sets`.
        let set: Int
        /// The member's own rules in `sets`, beside those of its type.
        var memberSet: Int?
    }

    fileprivate struct Member {
        let name: String
        let place: Int
        let isRequired: Bool
    }

    /// A walk through a document.
    private struct Walk {
        /// Whether values' types are checked, too: not where the document has been decoded.
        var checksTypes = false
        /// Whether all failures are wanted; otherwise the walk ends with the first broken rule.
        var collects = false
        var failures: [JSONTypeError] = []

        var isFull: Bool { collects && failures.count > JSONTypeErrors.greatestCount }

        mutating func fail(_ tape: Tape, _ index: Int, _ message: String) {
            failures.append(JSONTypeError(path: tape.path(to: index), message: message))
        }
    }

    private let places: [Place]
    private let members: [Member]
    private let sets: [RuleSet]
    private let scalars: [Shape.Scalar]

    /// The engine of a shape whose first place is the document.
    init(_ shape: Shape, _ shapes: Shapes) {
        var builder = Builder(shapes: shapes)
        _ = builder.add(shape)
        places = builder.places
        members = builder.members
        sets = builder.sets
        scalars = builder.scalars
    }

    /// Whether a document keeps all rules.
    func admits(_ tape: Tape) -> Bool {
        var walk = Walk()
        return keeps(tape, &walk, at: 0, as: 0, depth: 0)
    }

    /// The rules that a document breaks; with `types` also the values of other types.
    func failures(_ tape: Tape, types: Bool = false) -> [JSONTypeError] {
        var walk = Walk(checksTypes: types, collects: true)
        _ = keeps(tape, &walk, at: 0, as: 0, depth: 0)
        return walk.failures
    }

    /// Whether a value keeps its rules; always true where all failures are wanted.
    private func keeps(
        _ tape: Tape,
        _ walk: inout Walk,
        at index: Int,
        as number: Int,
        depth: Int
    ) -> Bool {
        // Member by member: a place is large, and copying it costs.
        if tape.isNull(at: index), places[number].isNullable { return true }
        guard depth <= JSON.greatestDepth, !walk.isFull else { return true }
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
        // First, so that a list that is too long ends it.
        let broken = tape.brokenRules(at: index, places[number].limits, sets[places[number].set])
        if !walk.collects, !broken.isEmpty { return false }
        guard keepsParts(parts, tape, &walk, index, depth + 1) else { return false }
        if !broken.isEmpty { tell(broken, of: places[number].set, tape, &walk, index) }
        guard let set = places[number].memberSet else { return true }
        let others = tape.brokenRules(at: index, sets[set].limits, sets[set])
        if !others.isEmpty { tell(others, of: set, tape, &walk, index) }
        return walk.collects || others.isEmpty
    }

    /// Whether a value is of its place's kind.
    ///
    /// Where it isn't, and its type isn't checked, decoding took it: there are no rules for it.
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

    /// Whether the parts of a value keep their rules.
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

    private func tell(
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
    /// Puts a shape's places side by side.
    private struct Builder {
        let shapes: Shapes
        var places: [Place] = []
        var members: [Member] = []
        var sets: [RuleSet] = []
        var scalars: [Shape.Scalar] = []
        /// The places of the types with names, by whether `null` is a value, too.
        private var known: [[Bool: Int]]

        init(shapes: Shapes) {
            self.shapes = shapes
            known = Array(repeating: [:], count: shapes.components.count)
        }

        mutating func add(_ shape: Shape) -> Int {
            var memberSet: Int?
            if case .component(let component) = shape.form {
                if shape.rules.isChecked {
                    // Beside the type's rules: no other member shares the place.
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
