/// What the values of a type look like as JSON: what a schema shows and inputs are checked against.
package struct Shape: Sendable {
    /// The kind of value.
    package indirect enum Form: Sendable {
        /// Whatever JSON there is.
        case any
        /// What a type's own schema says.
        case described(JSON.Object)
        case scalar(Scalar)
        case array(Shape)
        /// An object whose members' names are any.
        case map(Shape)
        /// An object of these members; an open one may have others that count.
        case object([Member], isOpen: Bool)
        /// A type of ``Shapes/components``.
        case component(Int)
    }

    /// A value without parts.
    ///
    /// `@unchecked Sendable`: a metatype is a constant, and decoding needs no isolation.
    package struct Scalar: @unchecked Sendable {
        /// Its JSON Schema.
        package var keywords: JSON.Object
        /// Its type in Swift.
        let type: any Decodable.Type

        /// What keeps a value of a document from being one; nil where nothing does.
        func failure(_ tape: Tape, _ index: Int) -> JSONTypeError? {
            func read<T: Decodable>(_ type: T.Type) throws { _ = try tape.decode(type, at: index) }
            do {
                let type = type
                try read(type)
                return nil
            } catch let error as DecodingError {
                return error.translated
            } catch {
                return error as? JSONTypeError
            }
        }
    }

    /// A member of an object.
    package struct Member: Sendable {
        package let name: String
        package var shape: Shape
        package var isRequired: Bool

        /// The member where texts carry it, in a path, a query or a form: there is no null, and no
        /// list without an element.
        package func asText(in shapes: Shapes) -> Member {
            var member = self
            member.shape.isNullable = false
            if isRequired, case .array = shapes.resolved(shape).form {
                member.shape.rules.minItems = member.shape.rules.minItems.map { max($0, 1) } ?? 1
            }
            return member
        }
    }

    package var form: Form
    /// Whether `null` is a value, too.
    package var isNullable = false
    /// Whether it comes from whoever decodes, and from no document.
    package var isSupplied = false
    package var rules = Rules()

    init(_ form: Form) { self.form = form }

    /// An object of these members.
    package static func object(_ members: [Member]) -> Shape {
        Shape(.object(members, isOpen: false))
    }
}

/// A type's shape, and those of the types that it is made of.
package struct Shapes: Sendable {
    /// A type that has a name in a schema.
    package struct Component: Sendable {
        package let name: String
        package var shape: Shape
        /// Where references of a type's own schema lead: `#` and `#/$defs/…`.
        var places: [String: Int] = [:]
    }

    /// The types with names, in the order in which they were met.
    package internal(set) var components: [Component] = []
    /// What is wrong with the types' declarations, a sentence each.
    package internal(set) var problems: [String] = []

    /// What a shape is, past its name.
    package func resolved(_ shape: Shape) -> Shape {
        guard case .component(let index) = shape.form else { return shape }
        var resolved = components[index].shape
        resolved.isNullable = resolved.isNullable || shape.isNullable
        return resolved
    }

    /// The members of an object; nil where it is none.
    package func members(of shape: Shape) -> [Shape.Member]? {
        guard case .object(let members, _) = resolved(shape).form else { return nil }
        return members
    }

    /// Whether one of the rules that are checked stands somewhere in a shape.
    package func hasRules(_ shape: Shape) -> Bool { contains(shape, \.rules.isChecked) }

    /// Whether some member somewhere in a shape has a value that stands in for it.
    package func hasDefaults(_ shape: Shape) -> Bool {
        contains(shape) { $0.rules.standIn != nil }
    }

    /// The members that come from whoever decodes.
    package func supplied(_ shape: Shape) -> [Shape.Member] {
        members(of: shape)?.filter(\.shape.isSupplied) ?? []
    }

    /// Whether something that comes from whoever decodes stands elsewhere than in a member.
    package func hasMisplacedSupply(_ shape: Shape) -> Bool {
        guard let members = members(of: shape) else { return contains(shape, \.isSupplied) }
        return members.contains { !$0.shape.isSupplied && contains($0.shape, \.isSupplied) }
    }

    private func contains(_ shape: Shape, _ holds: (Shape) -> Bool) -> Bool {
        var seen: Set<Int> = []
        func search(_ shape: Shape) -> Bool {
            if holds(shape) { return true }
            switch shape.form {
            case .any, .scalar, .described: return false
            case .array(let inner), .map(let inner): return search(inner)
            case .object(let members, _): return members.contains { search($0.shape) }
            case .component(let index):
                return seen.insert(index).inserted && search(components[index].shape)
            }
        }
        return search(shape)
    }
}
