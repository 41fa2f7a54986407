/// Values that are not what their readers need: all that were found in a document.
public struct JSONTypeErrors: Error, Sendable, CustomStringConvertible {
    /// The first of them, at least one, in the order in which the type names its members.
    public let all: [JSONTypeError]
    /// Whether there are more.
    public let isCut: Bool

    /// How many are told at most.
    static let greatestCount = 50

    package init(_ all: [JSONTypeError]) {
        self.all = Array(all.prefix(Self.greatestCount))
        isCut = all.count > Self.greatestCount
    }

    /// The pointers and messages on one line, the first few.
    public var description: String {
        let few = all.prefix(4).map(\.description).joined(separator: "; ")
        return all.count > 4 ? few + "; …" : few
    }
}

extension Tape {
    /// What in the document breaks a shape's rules; with `types`, also what isn't of its types.
    func failures(of shape: Shape, in shapes: Shapes, types: Bool) -> [JSONTypeError] {
        var check = ShapeCheck(tape: self, shapes: shapes, types: types)
        check.check(shape, at: 0, depth: 0)
        return check.failures
    }
}

/// A walk through a document along a shape.
private struct ShapeCheck {
    let tape: Tape
    let shapes: Shapes
    /// Whether values' types are looked at, too: not where the document has been decoded.
    let types: Bool
    private(set) var failures: [JSONTypeError] = []

    init(tape: Tape, shapes: Shapes, types: Bool) {
        self.tape = tape
        self.shapes = shapes
        self.types = types
    }

    private var isFull: Bool { failures.count > JSONTypeErrors.greatestCount }

    mutating func check(_ shape: Shape, at index: Int, depth: Int) {
        guard !isFull, depth <= JSON.greatestDepth else { return }
        let resolved = shapes.resolved(shape)
        if tape.isNull(at: index), resolved.isNullable { return }
        switch resolved.form {
        case .any, .described, .component: break
        case .scalar(let scalar):
            if types, let failure = scalar.failure(tape, index) { return failures.append(failure) }
        case .array(let element):
            guard let elements = elements(of: index) else {
                return fail(at: index, "expected an array")
            }
            for place in elements { check(element, at: place, depth: depth + 1) }
        case .map(let value):
            guard tape.nodes[index].kind == .object else {
                return fail(at: index, "expected an object")
            }
            for place in values(of: index) { check(value, at: place, depth: depth + 1) }
        case .object(let members, _):
            guard tape.nodes[index].kind == .object else {
                return fail(at: index, tape.isAbsentRoot(index) ? "missing" : "expected an object")
            }
            for member in members { check(member, in: index, depth: depth) }
        }
        checkRules(resolved.rules, at: index)
        if case .component = shape.form { checkRules(shape.rules, at: index) }
    }

    private mutating func check(_ member: Shape.Member, in object: Int, depth: Int) {
        guard let place = tape.find(member.name, in: object) else {
            guard types, member.isRequired else { return }
            let path: [any CodingKey] = tape.path(to: object) + [PathKey.name(member.name)]
            return failures.append(JSONTypeError(path: path, message: "missing"))
        }
        if tape.isNull(at: place), !member.isRequired, member.shape.isNullable { return }
        check(member.shape, at: place, depth: depth + 1)
    }

    private mutating func checkRules(_ rules: Rules, at index: Int) {
        guard rules.isChecked else { return }
        let node = tape.nodes[index]
        var messages: [String] = []
        if rules.concernsNumbers, let number = tape.number(at: index) {
            messages += rules.failures(of: number)
        }
        if node.kind == .string || node.kind == .text {
            messages += rules.failures(of: tape.string(node))
        }
        if rules.concernsLists, let elements = elements(of: index) {
            messages += rules.failures(ofListWith: elements.count) { elements.map(tape.json(at:)) }
        }
        for message in messages { fail(at: index, message, always: true) }
    }

    private mutating func fail(at index: Int, _ message: String, always: Bool = false) {
        guard types || always else { return }
        failures.append(JSONTypeError(path: tape.path(to: index), message: message))
    }

    /// The places of a list's elements; a text is a list of one.
    private func elements(of index: Int) -> [Int]? {
        switch tape.nodes[index].kind {
        case .text: return [index]
        case .array, .texts:
            var places: [Int] = []
            var element = index + 1
            while element < tape.nodes[index].next {
                places.append(element)
                element = Int(tape.nodes[element].next)
            }
            return places
        default: return nil
        }
    }

    private func values(of object: Int) -> [Int] {
        var places: [Int] = []
        tape.forEachName(in: object) { places.append($0 + 1) }
        return places
    }
}

extension Tape {
    /// Whether this is the root of a document that isn't there.
    fileprivate func isAbsentRoot(_ index: Int) -> Bool { isAbsent && index == 0 }
}
