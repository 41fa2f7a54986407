/// The JSON form of a type's values, for schemas and for checking inputs.
package struct Shape: Sendable {
    /// The kind of value.
    package indirect enum Form: Sendable {
        /// Any JSON value.
        case any
        /// A type with its own schema.
        case described(JSON.Object)
        case scalar(Scalar)
        case array(Shape)
        /// An object with any member names.
        case map(Shape)
        /// An object with these members; an open one may have further members.
        case object([Member], isOpen: Bool)
        /// A type in ``Shapes/components``.
        case component(Int)
    }

    /// A value without parts.
    ///
    /// `@unchecked Sendable`: a metatype is a constant, and decoding needs no isolation.
    package struct Scalar: @unchecked Sendable {
        /// Its JSON Schema.
        package var keywords: JSON.Object
        /// Its Swift type.
        let type: any Decodable.Type

        /// Returns the error of decoding a value as this type; nil if it is valid.
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

        /// Returns the member for texts in a path, query or form, which have no null.
        ///
        /// An absent list is empty, and so is an absent object that may be. Names in brackets have
        /// none themselves.
        package func asText(in shapes: Shapes) -> Member {
            var member = self
            member.shape.isNullable = false
            switch member.shape.form {
            case .array(var element):
                element.isNullable = false
                member.shape.form = .array(element)
            case .map(var value):
                value.isNullable = false
                member.shape.form = .map(value)
            case .any, .described, .scalar, .object, .component: break
            }
            switch shapes.resolved(shape).form {
            case .array where (shape.rules.minItems ?? 0) < 1: member.isRequired = false
            case .object(let members, _) where !members.contains(where: \.isRequired):
                member.isRequired = false
            case .map:
                member.isRequired = false
                var names = shape.rules.names ?? JSON.Object()
                if names["enum"] == nil, names["pattern"] == nil {
                    names["pattern"] = "^[^\\[\\]]+$"
                    member.shape.rules.names = names
                }
            case .any, .described, .scalar, .array, .object, .component: break
            }
            return member
        }
    }

    package var form: Form
    /// Whether `null` is accepted too.
    package var isNullable = false
    /// Whether the decoding caller supplies the value instead of the document.
    package var isSupplied = false
    package var rules = Rules()

    init(_ form: Form) { self.form = form }

    /// Returns an object with these members.
    package static func object(_ members: [Member], isOpen: Bool = false) -> Shape {
        Shape(.object(members, isOpen: isOpen))
    }
}

/// A type's shape, and the shapes of the types in it.
package struct Shapes: Sendable {
    /// A named type in a schema.
    package struct Component: Sendable {
        package let name: String
        package var shape: Shape
        /// The components of references in a type's own schema: `#` and `#/$defs/…`.
        var places: [String: Int] = [:]
    }

    /// The named types, in the order of discovery.
    package internal(set) var components: [Component] = []
    /// The errors in the types' declarations, a sentence each.
    package internal(set) var problems: [String] = []

    /// Returns a shape, or the shape of its component.
    package func resolved(_ shape: Shape) -> Shape {
        guard case .component(let index) = shape.form else { return shape }
        var resolved = components[index].shape
        resolved.isNullable = resolved.isNullable || shape.isNullable
        return resolved
    }

    /// Returns the members of an object; nil for another shape.
    package func members(of shape: Shape) -> [Shape.Member]? {
        guard case .object(let members, _) = resolved(shape).form else { return nil }
        return members
    }

    /// Returns whether a shape contains a rule to check.
    package func hasRules(_ shape: Shape) -> Bool { contains(shape, \.rules.isChecked) }

    /// Returns whether a shape contains a member with a default.
    package func hasDefaults(_ shape: Shape) -> Bool {
        contains(shape) { $0.rules.standIn != nil }
    }

    /// Returns whether a shape contains an object that may have known members only.
    func hasClosedObjects(_ shape: Shape) -> Bool {
        contains(shape) { if case .object(_, isOpen: false) = $0.form { true } else { false } }
    }

    /// Returns the members that the decoding caller supplies.
    package func supplied(_ shape: Shape) -> [Shape.Member] {
        members(of: shape)?.filter(\.shape.isSupplied) ?? []
    }

    /// Returns whether a shape contains a supplied value outside of its top-level members.
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
