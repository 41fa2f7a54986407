extension Shape {
    /// Returns a list of these elements, such as the two of a range.
    static func fixedList(_ elements: [Shape]) -> Shape {
        guard let first = elements.first else { return Shape(.array(Shape(.any))) }
        let isUniform = elements.allSatisfy { $0.isSame(as: first) }
        let scalars = elements.compactMap(\.plainKeywords)
        let count = JSON.number(JSON.Number(elements.count))
        if !isUniform, scalars.count == elements.count {
            return Shape(
                .described([
                    "type": "array", "prefixItems": .array(scalars.map(JSON.object)),
                    "minItems": count, "maxItems": count,
                ])
            )
        }
        var shape = Shape(.array(isUniform ? first : Shape(.any)))
        shape.rules.minItems = elements.count
        shape.rules.maxItems = elements.count
        return shape
    }

    private func isSame(as other: Shape) -> Bool {
        guard isNullable == other.isNullable else { return false }
        return switch (form, other.form) {
        case (.scalar(let one), .scalar(let two)): one.type == two.type
        case (.component(let one), .component(let two)): one == two
        default: false
        }
    }

    /// The keywords of a scalar without null.
    private var plainKeywords: JSON.Object? {
        guard case .scalar(let scalar) = form, !isNullable else { return nil }
        return scalar.keywords
    }
}
