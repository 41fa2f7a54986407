/// Lets documents pass that surely keep their rules, and makes nothing to find that out.
///
/// Nearly every document does. What the gate can't tell, a walk along the whole shape looks at, and
/// says what is wrong.
final class RuleGate: Sendable {
    /// What is asked of one place of a document.
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
        /// Whether nothing can be told here.
        var isUnsure = false
        var integers = Int64.min...Int64.max
        var unit: Int64 = 1
        var concernsNumbers = false
        var lengths = 0...Int.max
        /// Where the text's other rules are.
        var text: Int?
        var concernsTexts = false
        var counts = 0...Int.max
        var concernsLists = false
    }

    fileprivate struct Member {
        let name: String
        let place: Int
    }

    fileprivate struct Text {
        let pattern: Pattern?
        let format: StringFormat?
    }

    private let places: [Place]
    private let members: [Member]
    private let texts: [Text]

    /// The gate of a shape whose first place is the document.
    init(_ shape: Shape, _ shapes: Shapes) {
        var builder = Builder(shapes: shapes)
        _ = builder.add(shape)
        places = builder.places
        members = builder.members
        texts = builder.texts
    }

    /// Whether a document surely keeps all rules.
    func admits(_ tape: Tape) -> Bool { admits(tape, at: 0, as: 0, depth: 0) }

    private func admits(_ tape: Tape, at index: Int, as number: Int, depth: Int) -> Bool {
        let place = places[number]
        if tape.isNull(at: index), place.isNullable { return true }
        guard !place.isUnsure, depth < JSON.greatestDepth, keepsRules(place, tape, index) else {
            return false
        }
        let node = tape.nodes[index]
        switch place.parts {
        case .none: return true
        case .elements(let element):
            if node.kind == .text {
                return admits(tape, at: index, as: element, depth: depth + 1)
            }
            guard node.kind == .array || node.kind == .texts else { return false }
            var next = index + 1
            while next < node.next {
                guard admits(tape, at: next, as: element, depth: depth + 1) else { return false }
                next = Int(tape.nodes[next].next)
            }
            return true
        case .values(let value):
            guard node.kind == .object else { return false }
            var keeps = true
            tape.forEachName(in: index) { name in
                keeps = keeps && admits(tape, at: name + 1, as: value, depth: depth + 1)
            }
            return keeps
        case .members(let range):
            guard node.kind == .object else { return false }
            for member in range {
                guard let value = tape.find(members[member].name, in: index) else { continue }
                let place = members[member].place
                guard admits(tape, at: value, as: place, depth: depth + 1) else { return false }
            }
            return true
        }
    }

    private func keepsRules(_ place: Place, _ tape: Tape, _ index: Int) -> Bool {
        let node = tape.nodes[index]
        if place.concernsNumbers, let number = tape.number(at: index) {
            guard case .success(let value) = number.integer(Int64.self),
                place.integers.contains(value), value % place.unit == 0
            else { return false }
        }
        if place.concernsTexts, node.kind == .string || node.kind == .text {
            guard place.lengths.contains(tape.scalarCount(node)) else { return false }
            if let rules = place.text {
                let text = tape.string(node)
                if let pattern = texts[rules].pattern, !pattern.matches(text) { return false }
                if let format = texts[rules].format, !format.accepts(text) { return false }
            }
        }
        guard place.concernsLists else { return true }
        switch node.kind {
        case .array, .texts: return place.counts.contains(Int(node.length))
        case .text: return place.counts.contains(1)
        default: return true
        }
    }
}

extension RuleGate {
    /// Puts a shape's places side by side.
    private struct Builder {
        let shapes: Shapes
        var places: [Place] = []
        var members: [Member] = []
        var texts: [Text] = []
        /// The places of the types with names, by whether `null` is a value, too.
        private var known: [[Bool: Int]]

        init(shapes: Shapes) {
            self.shapes = shapes
            known = Array(repeating: [:], count: shapes.components.count)
        }

        mutating func add(_ shape: Shape) -> Int {
            if case .component(let component) = shape.form {
                if let place = known[component][shape.isNullable] { return place }
                known[component][shape.isNullable] = places.count
            }
            let number = places.count
            let resolved = shapes.resolved(shape)
            places.append(Place(resolved))
            if case .component(let component) = shape.form, shape.rules.isChecked {
                // The type's rules and the member's: no other may share the place.
                known[component][shape.isNullable] = nil
                places[number].isUnsure = true
            }
            if resolved.rules.pattern != nil || resolved.rules.format != nil {
                places[number].text = texts.count
                texts.append(Text(pattern: resolved.rules.pattern, format: resolved.rules.format))
            }
            places[number].parts = parts(of: resolved)
            return number
        }

        private mutating func parts(of shape: Shape) -> Place.Parts {
            switch shape.form {
            case .any, .described, .scalar, .component: return .none
            case .array(let element): return .elements(add(element))
            case .map(let value): return .values(add(value))
            case .object(let parts, _):
                let own = parts.map { Member(name: $0.name, place: add($0.shape)) }
                members += own
                return .members(members.count - own.count..<members.count)
            }
        }
    }
}

extension RuleGate.Place {
    fileprivate init(_ shape: Shape) {
        let rules = shape.rules
        isNullable = shape.isNullable
        concernsNumbers = rules.concernsNumbers
        concernsTexts = rules.concernsTexts
        concernsLists = rules.concernsLists
        isUnsure = rules.hasUniqueItems
        lengths = Self.range(rules.minLength, rules.maxLength)
        counts = Self.range(rules.minItems, rules.maxItems)
        var (least, most) = (Int64.min, Int64.max)
        // What is read here are integers: more than 0 is at least 1.
        func bound(_ number: JSON.Number?, _ use: (Int64) -> Void) {
            guard let number else { return }
            guard let value = Int64(number.text), value.magnitude < 1 << 62 else {
                isUnsure = true
                return
            }
            use(value)
        }
        bound(rules.minimum) { least = max(least, $0) }
        bound(rules.maximum) { most = min(most, $0) }
        bound(rules.exclusiveMinimum) { least = max(least, $0 + 1) }
        bound(rules.exclusiveMaximum) { most = min(most, $0 - 1) }
        bound(rules.multipleOf) { unit = $0 }
        if least <= most, unit > 0 { integers = least...most } else { isUnsure = true }
    }

    private static func range(_ least: Int?, _ most: Int?) -> ClosedRange<Int> {
        let least = max(least ?? 0, 0)
        return least...max(most ?? .max, least)
    }
}

extension Tape {
    /// How many Unicode scalars a string has.
    fileprivate func scalarCount(_ node: Node) -> Int {
        guard !node.isEscaped else { return string(node).unicodeScalars.count }
        return span(node).reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    }
}
