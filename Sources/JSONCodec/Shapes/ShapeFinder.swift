/// Finds the JSON shape of types by running their `init(from:)` with a recording decoder.
///
/// A type needs no second description that could differ. If its code rejects the samples, its shape
/// is open from there on. If members may be unknown for that reason, it is in ``Shapes/problems``.
package final class ShapeFinder {
    package private(set) var shapes = Shapes()
    /// The known shapes; for types in progress, their components.
    private var known: [ObjectIdentifier: Shape] = [:]
    private var names: Set<String> = []
    /// The types whose members are unknown.
    private var gaps: Set<ObjectIdentifier> = []
    private var depth = 0
    /// Whether a schema is requested, and not only rules.
    private let isForSchema: Bool

    /// The maximum nesting of types that aren't in ``known``.
    private static let maximumDepth = 48

    package init(isForSchema: Bool = true) { self.isForSchema = isForSchema }

    /// Returns the shape of a type.
    package func shape<T: Decodable>(of type: T.Type) -> Shape {
        if type == JSON.self { return Shape(.any) }
        if let keywords = Self.keywords(of: type) { return scalar(type, keywords) }
        if let shape = known[ObjectIdentifier(type)] { return shape }
        guard depth < Self.maximumDepth else { return Shape(.any) }
        depth += 1
        defer { depth -= 1 }
        if TypeMetadata.isHashed(type), let hashed = type as? any HashedShape.Type {
            let shape = hashed.shape(in: self)
            known[ObjectIdentifier(type)] = shape
            return shape
        }
        let notes = ProbeNotes(self, type)
        // Requests before the error still count.
        let isWhole = (try? T(from: ProbeDecoder(notes: notes))) != nil
        var shape = notes.shape(isWhole: isWhole)
        if case .scalar(let scalar) = shape.form {
            let enumerates = isForSchema && !shape.isNullable
            shape.form = .scalar(self.scalar(type, scalar.keywords, enumerating: enumerates))
        }
        // Lists, dictionaries and optionals declare nothing.
        if notes.mayDeclare, let declaring = type as? any SchemaDeclaring.Type {
            switch declaring.declaration {
            case .schema(let schema):
                shape = Shape(.described(schema.object ?? JSON.Object()))
                let component = notes.component ?? addComponent(type)
                shapes.components[component].shape = shape
                addDefinitions(of: component)
                return Shape(.component(component))
            case .constraints(let constraints):
                shape = apply(constraints, to: shape, of: type)
            }
        }
        if !isWhole { report(notes.gap(of: type), in: type) }
        guard let component = notes.component else {
            return keep(shape, of: type, named: shape.isEnumeration)
        }
        shapes.components[component].shape = shape
        return Shape(.component(component))
    }

    /// Adds the error of a type's unknown members, once for each type that causes it.
    private func report(_ gap: ShapeGap?, in type: Any.Type) {
        guard let gap else { return }
        let isReported = gaps.contains(ObjectIdentifier(gap.cause))
        gaps.formUnion([ObjectIdentifier(gap.cause), ObjectIdentifier(type)])
        if !isReported { shapes.problems.append(gap.description) }
    }

    private func keep(_ shape: Shape, of type: Any.Type, named: Bool) -> Shape {
        guard named else {
            known[ObjectIdentifier(type)] = shape
            return shape
        }
        let component = addComponent(type)
        shapes.components[component].shape = shape
        return Shape(.component(component))
    }

    /// Adds a named component, which recursive types refer to.
    func addComponent(_ type: Any.Type) -> Int {
        let component = shapes.components.count
        let name = isForSchema ? freeName(of: type) : ""
        shapes.components.append(Shapes.Component(name: name, shape: Shape(.any)))
        known[ObjectIdentifier(type)] = Shape(.component(component))
        return component
    }

    /// Adds components for the `$defs` of a type's own schema.
    private func addDefinitions(of component: Int) {
        guard case .described(var schema) = shapes.components[component].shape.form else { return }
        var places = ["#": component]
        for (name, definition) in schema["$defs"]?.object ?? JSON.Object() {
            let free = freeName("\(shapes.components[component].name).\(name)")
            let shape = Shape(.described(definition.object ?? JSON.Object()))
            places["#/$defs/" + JSONPointer.escaped(name)] = shapes.components.count
            shapes.components.append(Shapes.Component(name: free, shape: shape))
        }
        schema["$defs"] = nil
        shapes.components[component].shape = Shape(.described(schema))
        for place in places.values { shapes.components[place].places = places }
    }

    /// Returns the type's name with the enclosing types', in the characters that OpenAPI allows.
    private func freeName(of type: Any.Type) -> String {
        let full = String(reflecting: type)
        let parts = full.split(separator: ".").filter { !$0.hasPrefix("(") }
        // The first part is the module's name.
        let words = (parts.count > 1 && !full.contains("<") ? parts.dropFirst() : parts[...])
            .joined(separator: ".")
        let isGeneric = full.contains("<")
        return freeName(isGeneric ? "\(type)" : words)
    }

    private func freeName(_ text: String) -> String {
        let name = text.split {
            !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "_"))
        }
        .joined(separator: "_")
        var free = name.isEmpty ? "Type" : name
        var number = 2
        while !names.insert(free).inserted {
            free = "\(name)_\(number)"
            number += 1
        }
        return free
    }

    // MARK: Scalars

    private func scalar<T: Decodable>(_ type: T.Type, _ keywords: JSON.Object) -> Shape {
        Shape(.scalar(scalar(type, keywords, enumerating: false)))
    }

    private func scalar<T: Decodable>(
        _ type: T.Type,
        _ keywords: JSON.Object,
        enumerating: Bool
    ) -> Shape.Scalar {
        var keywords = keywords
        if enumerating, let cases = rawJSON(of: type, keywords["type"] == "string") {
            keywords["enum"] = .array(cases)
            for bound in ["minimum", "maximum", "format"] { keywords[bound] = nil }
        }
        return Shape.Scalar(keywords: keywords, type: type)
    }

    // MARK: Constraints

    private func apply(_ constraints: Constraints, to shape: Shape, of type: Any.Type) -> Shape {
        var shape = shape
        let name = "\(type)"
        for (member, rules) in constraints.members {
            let place = member.isEmpty ? name : "\(name).\(member)"
            if member.isEmpty {
                apply(rules, to: &shape, place)
            } else if case .object(var members, let isOpen) = shape.form {
                guard let index = members.firstIndex(where: { $0.name == member }) else {
                    let others = members.map(\.name).joined(separator: ", ")
                    shapes.problems.append(
                        "\(name) has constraints for \"\(member)\" but only the members \(others)"
                    )
                    continue
                }
                apply(rules, to: &members[index].shape, place)
                if members[index].shape.rules.standIn != nil { members[index].isRequired = false }
                shape.form = .object(members, isOpen: isOpen)
            } else {
                shapes.problems.append(
                    "\(name) has constraints for \"\(member)\" but no members"
                )
            }
        }
        return shape
    }

    private func apply(_ constraints: [Constraint], to shape: inout Shape, _ place: String) {
        for constraint in constraints {
            if case .items(let rules) = constraint.kind {
                guard case .array(var element) = shape.form else {
                    shapes.problems.append("\(place) has rules for elements but is not a list")
                    continue
                }
                apply(rules, to: &element, "\(place)'s elements")
                shape.form = .array(element)
            } else if let problem = shape.rules.add(constraint) {
                shapes.problems.append("\(place): \(problem)")
            }
        }
        let kinds = kinds(of: shape)
        func demand(_ concerns: Bool, _ wanted: Set<String>, _ words: String) {
            guard concerns, kinds.isDisjoint(with: wanted) else { return }
            shapes.problems.append("\(place) has rules for \(words), but another type")
        }
        guard !kinds.isEmpty else { return }
        demand(shape.rules.appliesToNumbers, ["integer", "number"], "numbers")
        demand(shape.rules.appliesToTexts, ["string"], "strings")
        demand(shape.rules.appliesToLists, ["array"], "lists")
    }

    /// Returns the JSON types of a shape's values; none if they are unknown.
    private func kinds(of shape: Shape) -> Set<String> {
        switch shapes.resolved(shape).form {
        case .any: return []
        case .described(let keywords): return Self.types(keywords)
        case .scalar(let scalar): return Self.types(scalar.keywords)
        case .array: return ["array"]
        case .map, .object: return ["object"]
        case .component: return []
        }
    }

    private static func types(_ keywords: JSON.Object) -> Set<String> {
        guard let type = keywords["type"] else { return [] }
        return Set((type.array ?? [type]).compactMap(\.string))
    }
}

extension Shape {
    fileprivate var isEnumeration: Bool {
        guard case .scalar(let scalar) = form else { return false }
        return scalar.keywords["enum"] != nil
    }
}

/// Returns the raw values of an enum; nil if its JSON has another form.
private func rawJSON(of type: Any.Type, _ isString: Bool) -> [JSON]? {
    let values = TypeMetadata.rawValues(of: type)?.compactMap { value in
        (value as? any Encodable).flatMap { try? JSON(encoding: $0) }
    }
    guard let values, values.allSatisfy({ ($0.string != nil) == isString }) else { return nil }
    return values
}
